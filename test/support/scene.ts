/**
 * The things that the tests of every operation act on: two organizations that know nothing of each other, each with
 * forms in every status that hold all there is to address. `own` is the cast's organization, `foreign` another one,
 * to which everybody of the cast is an outsider. All of it is made through the service itself.
 */
import type { Client } from '#core/api/client.ts';
import { type Cast, newCast, newForm, newOrganization, type Person, person } from './world.ts';

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

/** A form with all that belongs to it. Two sections in a row, so that deleting either node leaves a workflow. */
export type Things = Place & {
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
  /** The respondent's; the required question is answered. */
  draftId: string;
  /** The respondent's. */
  submittedId: string;
};

export type Scene = {
  cast: Cast;
  /** The places, to make further things in. */
  places: { own: Place; foreign: Place };
  own: Record<Status, Things>;
  foreign: Record<Status, Things>;
  /** A published form of the own organization that its member made. */
  madeByMember: Things;
};

/** A scene. Build it once a test file, and make new things for what would use them up. */
export async function newScene(): Promise<Scene> {
  const cast = await newCast();
  const { alice, bob, dave, erin, slug, orgId } = cast;
  const people = { admin: alice, member: bob, respondent: dave, otherRespondent: erin };
  const own: Place = { slug, orgId, ...people, ...(await newUnits(alice, { slug, orgId })) };
  const foreign = await newPlace();
  return {
    cast,
    places: { own, foreign },
    own: await thingsOfEveryStatus(own),
    foreign: await thingsOfEveryStatus(foreign),
    madeByMember: await newThings(own, 'PUBLISHED', own.member),
  };
}

async function newPlace(): Promise<Place> {
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

const thingsOfEveryStatus = async (place: Place): Promise<Record<Status, Things>> => ({
  DRAFT: await newThings(place, 'DRAFT'),
  PUBLISHED: await newThings(place, 'PUBLISHED'),
  ARCHIVED: await newThings(place, 'ARCHIVED'),
});

/** A new form with everything, in a status; a DRAFT was published and answered before, so it has responses too. */
export async function newThings(place: Place, status: Status, maker: Person = place.admin): Promise<Things> {
  const { formId, sectionIds, questionIds } = await newForm(maker, place.slug, [
    [
      { type: 'SHORT_TEXT', required: true },
      { type: 'SINGLE_CHOICE', choices: [{ name: 'Yes' }, { name: 'No' }] },
      { type: 'UPLOAD_FILE', uploadFile: PICTURES },
      { type: 'OAUTH_CONNECT', oauthConnect: 'PROVIDER_ONE' },
    ],
    [{ type: 'LONG_TEXT' }],
  ]);
  const [sectionId = '', nodeId = ''] = sectionIds;
  const [questionId = '', choiceQuestionId = '', fileQuestionId = '', connectQuestionId = ''] = questionIds;
  const { client } = maker;
  await client.forms.setHighlight({ params: { formId }, body: { questionId: choiceQuestionId } });
  const view = await client.views.createView({ params: { formId }, body: {} });
  const answers = [{ questionId, questionType: 'SHORT_TEXT' as const, value: 'Clear water' }];
  const draftId = await newResponse(place.respondent, formId, answers);
  const fileId = await newFile(place.respondent, draftId, fileQuestionId);
  const submittedId = await newResponse(place.respondent, formId, answers);
  await place.respondent.client.responses.submitResponse({ params: { responseId: submittedId }, body: { answers } });
  await newResponse(place.otherRespondent, formId, answers);
  if (status !== 'PUBLISHED') await place.admin.client.forms.archiveForm({ params: { formId } });
  if (status === 'DRAFT') await place.admin.client.forms.unarchiveForm({ params: { formId } });
  const ids = { formId, sectionId, nodeId, questionId, choiceQuestionId, viewId: view.body.id };
  return { ...place, ...ids, fileQuestionId, fileId, connectQuestionId, draftId, submittedId };
}

/** What a question takes that asks for pictures. */
export const PICTURES = {
  allowedFileTypes: ['PNG' as const, 'PDF' as const, 'TXT' as const],
  maxFileAmount: 10,
  maxFileSizeLimit: 10_485_759,
};

/** A file that is the answer to a question, uploaded through the API; its id. */
async function newFile({ client }: Person, responseId: string, questionId: string): Promise<string> {
  const form = new FormData();
  form.append('files', new File(['Clear water'], 'river.txt', { type: 'text/plain' }));
  const { body } = await client.files.uploadFiles({ params: { responseId, questionId }, form });
  return body.files[0]?.fileId ?? '';
}

type Answers = Parameters<Person['client']['responses']['updateAnswers']>[0]['body']['answers'];

async function newResponse({ client }: Person, formId: string, answers: Answers): Promise<string> {
  const responseId = (await client.responses.startResponse({ params: { formId } })).body.id;
  await client.responses.updateAnswers({ params: { responseId }, body: { answers } });
  return responseId;
}
