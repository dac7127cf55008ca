/**
 * Shows how a form is shared. Makes a prefilled link of the posted values, and says which of them are not answers.
 */
import { renderSVG } from 'uqr';
import { updateForm } from '#core/forms/cover.ts';
import { type Form, FormPatch } from '#core/forms/model.ts';
import { openFormWithStructure } from '#core/forms/open.ts';
import { requireAudience } from '#core/forms/status.ts';
import { problems } from '#core/problems/problems.ts';
import { formatDateTime } from '#core/schema/format.ts';
import type { Structure } from '#core/structure/structure.ts';
import { findPrefill } from '../fields/prefill.ts';
import type { PageContext } from '../shell/context.ts';
import { copyButton, pageTitle, shareLink, switchField } from '../shell/controls.ts';
import { DETAILS_BYTES, LIST, member } from '../shell/declare-page.ts';
import { type FormHead, loadFormHead } from '../shell/form-frame.ts';
import { attribute, type Html, html, trusted } from '../shell/html.ts';
import { definePage } from '../shell/page.ts';
import { isPrefillTooLarge, listPrefillFields } from '../shell/prefill-link.ts';
import { getBuilderTexts } from '../text/builder.ts';
import { builderLayout, buildHref, withDone } from './frame.ts';
import { invitationsHref } from './invitations.ts';
import { type PrefillForm, prefillForm } from './prefill.ts';

export const page = definePage({
  name: 'share',
  audience: 'builders',
  path: '/build/{formId}/share',
  access: member,
  needs: LIST,
  open: openFormWithStructure,
  show: async ({ app, form, structure, context }) => ({
    html: renderSharePage(context, await loadFormHead(app, form), {
      form,
      structure,
      prefill: { fields: [], leftOut: [] },
      hasGuests: app.config.guests,
    }),
  }),
  post: {
    access: member,
    needs: [...LIST, 'table:write'],
    maxFormBytes: DETAILS_BYTES,
    open: openFormWithStructure,
    byDefault: 'prefillLink',
    actions: {
      prefillLink: async ({ app, form, structure, posted, context }) => {
        const fields = listPrefillFields(posted.fields);
        const { leftOut } = findPrefill(structure, fields, { now: context.now.toISOString() });
        const html = renderSharePage(context, await loadFormHead(app, form), {
          form,
          structure,
          prefill: { fields, leftOut },
          hasGuests: app.config.guests,
        });
        return { html, status: leftOut.length > 0 || isPrefillTooLarge(fields) ? 400 : 200 };
      },
      audience: async ({ app, form, caller, posted: { fields } }) => {
        const read = FormPatch()
          .pick({ audience: true })
          .safeParse({ audience: fields.get('audience') });
        const audience = read.data?.audience;
        if (!audience) throw problems.invalid([{ pointer: '/body/audience', detail: 'must be one of the choices' }]);
        requireAudience(app, { audience });
        // What the choice says in words: nobody's list has a form for people with an invitation or an address, and of strangers nobody knows how often they respond.
        const patch = {
          audience,
          oncePerPerson: audience !== 'ANYONE' && fields.has('once'),
          ...((audience === 'INVITED' || audience === 'EMAIL') && { visibility: 'PRIVATE' as const }),
        };
        await updateForm(app, form, patch, { userId: caller.id, roles: [] });
        return { location: withDone(`${buildHref(form.id)}/share`, 'saved') };
      },
    },
  },
});

/** `hasGuests`: the installation takes responses without an account. */
type Share = { form: Form; structure: Structure; prefill: PrefillForm; hasGuests: boolean };

/** Renders the choice of who may respond, in words. */
function audienceForm(context: PageContext, { id, audience, oncePerPerson }: Form): Html {
  const { audience: texts } = getBuilderTexts(context).share;
  return html`<section class="card section-heading"><form method="post" action="/build/${id}/share" data-once>
<fieldset class="choices"><legend>${texts.title}</legend>
${(['ACCOUNT', 'ANYONE', 'EMAIL', 'INVITED'] as const).map((value) => html`<label class="choice"><input type="radio" name="audience" value="${value}"${attribute('checked', value === audience)}><span>${texts[value]} <span class="hint">${texts.hints[value]}</span></span></label>`)}
</fieldset>
${switchField({ name: 'once', label: texts.once, hint: texts.onceHint, isOn: oncePerPerson })}
<p class="actions"><button name="do" value="audience">${texts.save}</button>
<a class="button secondary" href="${invitationsHref(id)}">${audience === 'EMAIL' ? getBuilderTexts(context).invitations.addresses : getBuilderTexts(context).invitations.title}</a></p></form></section>`;
}

/** Renders the link to a form, to copy and to prefill, and whether respondents can use it yet. */
function renderSharePage(context: PageContext, head: FormHead, { form, structure, prefill, hasGuests }: Share): Html {
  const { share: texts } = getBuilderTexts(context);
  const link = `${context.publicUrl}/f/${form.id}`;
  const deadline = form.deadline === null ? null : formatDateTime(context, form.deadline, 'zone');
  const mail = texts.mailText(form.title, link, deadline);
  // Only a link of this service is drawn, so the picture holds nothing that people have typed.
  const svg = renderSVG(link, { ecc: 'M', border: 2 });
  const subject = encodeURIComponent(form.title);
  return builderLayout(context, head, {
    current: 'share',
    isTab: true,
    title: pageTitle(context, texts.title, prefill.leftOut.length > 0),
    main: html`${form.status === 'DRAFT' && html`<div class="notice warning"><p>${texts.draft}</p></div>`}
${form.status === 'ARCHIVED' && html`<div class="notice warning"><p>${texts.archived}</p></div>`}
<section class="card"><h2>${texts.link}</h2>
${shareLink(context, form.id)}
<h3>${texts.who}</h3><p>${form.audience !== 'ACCOUNT' && hasGuests ? texts[form.audience] : texts[form.visibility]}</p></section>
${hasGuests && audienceForm(context, form)}
<section class="card section-heading"><h2>${texts.qr}</h2>
<div class="qr" role="img" aria-label="${texts.qrTitle(form.title)}">${trusted(svg)}</div>
<p class="actions"><a class="button secondary" download="qr-${form.id}.svg" href="data:image/svg+xml,${encodeURIComponent(svg)}">${texts.download}</a></p></section>
<section class="card section-heading"><h2><label for="mail">${texts.mail}</label></h2>
<textarea dir="auto" id="mail" readonly rows="6">
${mail}</textarea>
<p class="actions">${copyButton(context, { text: mail })}
<a class="button secondary" href="mailto:?subject=${subject}&amp;body=${encodeURIComponent(mail)}">${texts.mailOpen}</a></p></section>
${prefillForm(context, structure, prefill)}`,
  });
}
