/** The page for somebody who begins a form while many others do: their browser works for some seconds, or they wait. */
import type { Gate } from '#core/forms/gate.ts';
import { type Proof, requireNewGuest, WAIT_SECONDS } from '#core/identity/guest-limits.ts';
import { Problem } from '#core/problems/problems.ts';
import { assetUrl } from '../shell/assets.ts';
import type { PageContext } from '../shell/context.ts';
import { type Html, html } from '../shell/html.ts';
import { layout } from '../shell/layout.ts';
import type { PageResult } from '../shell/result.ts';

/**
 * Counts somebody who begins a form without an account. Returns the page on which they wait if they must, with all that was
 * posted; undefined if they may begin.
 */
export async function waitForTurn(
  app: Parameters<typeof requireNewGuest>[0],
  gate: Gate,
  fields: URLSearchParams,
  context: PageContext,
): Promise<PageResult | undefined> {
  try {
    await requireNewGuest(app, gate.formId, readProof(fields));
    return undefined;
  } catch (error) {
    const challenge = error instanceof Problem ? error.headers['guest-challenge'] : undefined;
    if (challenge === undefined) throw error;
    return { html: renderWaitingPage(context, gate, { challenge, fields }), status: 429 };
  }
}

/** Reads the proof of a posted form. Scripts fill in the solution; without one, the reader has waited. */
function readProof(fields: URLSearchParams): Proof | undefined {
  const challenge = fields.get('challenge');
  return challenge === null ? undefined : { challenge, solution: fields.get('solution') || undefined };
}

function renderWaitingPage(
  context: PageContext,
  { formId, title, dressing }: Gate,
  { challenge, fields }: { challenge: string; fields: URLSearchParams },
): Html {
  const { waiting } = context.t.guest;
  const repeated = [...fields].filter(([name]) => name !== 'challenge' && name !== 'solution');
  return layout(context, {
    title: `${waiting.title} · ${title}`,
    dressing,
    kind: 'message',
    head: html`<script type="module" src="${assetUrl('proof.js')}"></script>`,
    main: html`<div class="card"><h1>${waiting.title}</h1>
<p data-proof-working hidden role="status">${waiting.working}</p>
<p data-proof-waiting>${waiting.lead(WAIT_SECONDS)}</p>
<form method="post" action="/f/${formId}/start" data-proof="${challenge}">
${repeated.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
<input type="hidden" name="challenge" value="${challenge}"><input type="hidden" name="solution" value="">
<p class="actions"><button>${waiting.start}</button></p>
</form></div>`,
  });
}
