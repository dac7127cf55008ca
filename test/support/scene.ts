/**
 * The resources on which the tests of every operation act: two organizations that have nothing in common, each with
 * forms in every status. `own` is the cast's organization; to the other, `foreign`, everybody of the cast is an outsider.
 */
import type { Client } from '#core/api/client.ts';
import { formIdFrom, formKey, idWithin, keys } from '#core/db/keys.ts';
import { queueExport } from '#core/exports/model.ts';
import { app } from '#core/http/app.ts';
import { newAddressed } from './addresses.ts';
import { local, PICTURES, uploaded } from './files.ts';
import {
  type Cast,
  clientWith,
  newCast,
  newForm,
  newGuest,
  newOrganization,
  type Person,
  person,
  type QuestionKind,
} from './fixtures.ts';
import { respond, start, text } from './responses.ts';
import { allItems, putItems } from './stored.ts';

export const STATUSES = ['DRAFT', 'PUBLISHED', 'ARCHIVED'] as const;
export type Status = (typeof STATUSES)[number];

/** An organization and the people around it. */
export type Place = {
  slug: string;
  orgId: string;
  /** A unit at the root. */
  unitId: string;
  /** A unit under it. */
  childId: string;
  admin: Person;
  member: Person;
  /** Has a draft and a submitted response to every form of the place. */
  respondent: Person;
  /** Has a response to every form too. */
  otherRespondent: Person;
};

/** A form with everything in it. Two sections in a row, so that deleting either node leaves a valid workflow. */
export type Resources = Place & {
  formId: string;
  sectionId: string;
  /** The node of the second section. */
  nodeId: string;
  /** A required SHORT_TEXT question of the section. */
  questionId: string;
  /** A SINGLE_CHOICE question of the section; the form highlights it. */
  choiceQuestionId: string;
  viewId: string;
  /** An UPLOAD_FILE question of the section, answered in the draft. */
  fileQuestionId: string;
  /** The file of that answer. */
  fileId: string;
  /** An OAUTH_CONNECT question of the section. */
  connectQuestionId: string;
  /** An export that is done; the member asked for it. */
  exportId: string;
  /** The respondent's; the required question is answered. */
  draftId: string;
  /** The respondent's. */
  submittedId: string;
};

export type Scene = {
  cast: Cast;
  /** The organizations, to create more in. */
  places: { own: Place; foreign: Place };
  own: Record<Status, Resources>;
  foreign: Record<Status, Resources>;
  /** A published form of the own organization that its member made. */
  madeByMember: Resources;
};

/** A scene. Build it once a test file, and create new forms for what consumes them. */
export async function newScene(): Promise<Scene> {
  const cast = await newCast();
  const { alice, bob, dave, erin, slug, orgId } = cast;
  const people = { admin: alice, member: bob, respondent: dave, otherRespondent: erin };
  const own: Place = { slug, orgId, ...people, ...(await newUnits(alice, { slug, orgId })) };
  const foreign = await newPlace();
  return {
    cast,
    places: { own, foreign },
    own: await resourcesOfEveryStatus(own),
    foreign: await resourcesOfEveryStatus(foreign),
    madeByMember: await newResources(own, 'PUBLISHED', own.member),
  };
}

/** Another organization with people of its own. */
export async function newPlace(): Promise<Place> {
  const [admin, member, respondent, otherRespondent] = await Promise.all([
    person('gina'),
    person('hank'),
    person('ivan'),
    person('judy'),
  ]);
  const organization = await newOrganization(admin, member);
  const units = await newUnits(admin, organization);
  return { ...organization, ...units, admin, member, respondent, otherRespondent };
}

/** A unit of an organization, and one under it. */
async function newUnits({ client }: Person, { slug, orgId }: { slug: string; orgId: string }) {
  const unitId = await newUnit(client, slug);
  const childId = await newUnit(client, slug);
  await client.units.linkUnits({ body: { parentId: unitId, childId, orgId } });
  return { unitId, childId };
}

/** A unit at the root of an organization; its id. */
export const newUnit = async (client: Client, slug: string): Promise<string> =>
  (await client.units.createUnit({ params: { slug }, body: { name: 'Field team', description: '', metadata: {} } }))
    .body.id;

const resourcesOfEveryStatus = async (place: Place): Promise<Record<Status, Resources>> => ({
  DRAFT: await newResources(place, 'DRAFT'),
  PUBLISHED: await newResources(place, 'PUBLISHED'),
  ARCHIVED: await newResources(place, 'ARCHIVED'),
});

/** A form with everything, and its items as JSON text. */
type Template = { resources: Resources; text: string };

const templates = new Map<string, Promise<Template>>();

/** The template of a kind, which is built at its first use. */
function templateOf(kind: string, build: () => Promise<Template>): Promise<Template> {
  const template = templates.get(kind) ?? build();
  templates.set(kind, template);
  return template;
}

/**
 * A new form with everything, in a status; a DRAFT was published and answered before, so it has responses too. The first
 * one of its kind is built with requests; the others are copies of its items with another form key.
 */
export const newResources = async (place: Place, status: Status, maker: Person = place.admin): Promise<Resources> =>
  (await copyForm(place, status, maker)).resources;

const copyForm = async (place: Place, status: Status, maker: Person): Promise<Template> =>
  copyOf(await templateOf(`${place.slug} ${status} ${maker.id}`, () => newTemplate(place, status, maker)));

async function newTemplate(place: Place, status: Status, maker: Person): Promise<Template> {
  const resources =
    status === 'PUBLISHED' ? await buildResources(place, maker) : await newResources(place, 'PUBLISHED', maker);
  const params = { formId: resources.formId };
  if (status !== 'PUBLISHED') await place.admin.client.forms.archiveForm({ params });
  if (status === 'DRAFT') await place.admin.client.forms.unarchiveForm({ params });
  return readTemplate(resources);
}

/** Reads the items of a form as they are stored now. */
async function readTemplate(resources: Resources): Promise<Template> {
  const key = formKey(resources.formId);
  const items = (await allItems()).map((item) => JSON.stringify(item)).filter((text) => text.includes(key));
  return { resources, text: `[${items.join(',')}]` };
}

/** Parses the JSON of a scene that another process built. Its forms are the templates of new ones here. */
export function restoreScene(json: string): Scene {
  const scene: Scene = JSON.parse(json, (_key, value) =>
    value?.token ? { ...value, client: clientWith(value.token) } : value,
  );
  scene.cast.nobody = clientWith();
  for (const status of STATUSES) {
    const resources = scene.own[status];
    templates.set(`${resources.slug} ${status} ${resources.admin.id}`, readTemplate(resources));
  }
  return scene;
}

/**
 * A published form of which everything that the respondent has belongs to a guest, who is the respondent of what is
 * returned.
 */
export async function newResourcesOfGuest(place: Place): Promise<Resources> {
  const copy = await copyForm(place, 'PUBLISHED', place.admin);
  return giveTo(copy, await newGuest(copy.resources.formId));
}

/** The same of a form for people who confirm an address, with a guest who has done so. */
export async function newResourcesOfAddressed(place: Place): Promise<Resources> {
  const copy = await copyOf(await templateOf(`${place.slug} EMAIL`, () => newTemplateForAddresses(place)));
  const { formId, draftId, submittedId } = copy.resources;
  const resources = await giveTo(copy, await newAddressed(formId));
  const responses = { [draftId]: 2, [submittedId]: 3 };
  await app().table.write([{ update: keys.guest(resources.respondent.id), set: { responses }, unset: ['expiresAt'] }]);
  return resources;
}

async function newTemplateForAddresses(place: Place): Promise<Template> {
  const resources = await newResources(place, 'PUBLISHED');
  const body = { audience: 'EMAIL', visibility: 'PRIVATE' } as const;
  await place.admin.client.forms.updateForm({ params: { formId: resources.formId }, body });
  return readTemplate(resources);
}

/** Lets what the respondent of a form has belong to a guest of it. */
async function giveTo({ resources, text }: Template, guest: Person): Promise<Resources> {
  await putItems(JSON.parse(text.replaceAll(resources.respondent.id, guest.id)));
  return { ...resources, respondent: guest };
}

let copies = 0;

/** Writes the items of a template once more: the ids of a form and of everything in it begin with the form's key. */
async function copyOf({ resources, text }: Template): Promise<Template> {
  copies += 1;
  const key = formKey(formIdFrom(app().uuid(), new Date(copies)));
  const rekeyed = (value: string) => value.replaceAll(formKey(resources.formId), key);
  const copy = rekeyed(text);
  await putItems(JSON.parse(copy));
  const ids = Object.entries(resources).filter(([, value]) => typeof value === 'string');
  return { resources: { ...resources, ...JSON.parse(rekeyed(JSON.stringify(Object.fromEntries(ids)))) }, text: copy };
}

/** A published form for anyone with everything, built with requests; `further`: the questions of its sections after the first. */
export async function buildResources(
  place: Place,
  maker: Person,
  further: QuestionKind[][] = [[{ type: 'LONG_TEXT' }]],
): Promise<Resources> {
  const { formId, sectionIds, questionIds } = await newForm(
    maker,
    place.slug,
    [
      [
        { type: 'SHORT_TEXT', required: true },
        { type: 'SINGLE_CHOICE', choices: [{ name: 'Yes' }, { name: 'No' }] },
        { type: 'UPLOAD_FILE', uploadFile: PICTURES },
        { type: 'OAUTH_CONNECT', oauthConnect: 'PROVIDER_ONE' },
      ],
      ...further,
    ],
    { audience: 'ANYONE' },
  );
  const [sectionId = '', nodeId = ''] = sectionIds;
  const [questionId = '', choiceQuestionId = '', fileQuestionId = '', connectQuestionId = ''] = questionIds;
  const { client } = maker;
  await client.forms.setHighlight({ params: { formId }, body: { questionId: choiceQuestionId } });
  const view = await client.views.createView({ params: { formId }, body: {} });
  const answers = [text(questionId, 'Clear water')];
  const draftId = await start(place.respondent, formId, answers);
  const at = { responseId: draftId, questionId: fileQuestionId };
  const [fileId = ''] = await uploaded(place.respondent, at, local('river.txt'));
  const submittedId = await respond(place.respondent, formId, answers);
  await start(place.otherRespondent, formId, answers);
  const exportId = await newDoneExport(place.member, formId, questionId);
  const ids = { formId, sectionId, nodeId, questionId, choiceQuestionId, viewId: view.body.id };
  return { ...place, ...ids, exportId, fileQuestionId, fileId, connectQuestionId, draftId, submittedId };
}

/** An export of an earlier version of a form that is done, without its file; its id. */
async function newDoneExport({ id: userId }: Person, formId: string, questionId: string): Promise<string> {
  const { table, uuid, now } = app();
  const id = idWithin(formId, uuid());
  const asked = { formId, userId, title: 'Spring survey', questionIds: [questionId], structureVersion: 0 };
  const progress = { changes: null, newest: null, processed: 1, total: 1 };
  await table.write([queueExport(id, { ...asked, ...progress }, now())]);
  await table.write([{ update: keys.export(id), set: { state: 'DONE' }, unset: ['gsi1pk', 'gsi1sk'] }]);
  return id;
}
