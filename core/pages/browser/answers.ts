/**
 * The scripts of pages on which answers are given: they save each answer, send files, and offer what was typed and not
 * saved. They only improve what works without them.
 */
import { prepareAnnouncer } from './announce.ts';
import { saveAutomatically } from './autosave.ts';
import { readKeptEntries } from './kept-answers.ts';
import { offerKept } from './kept-notice.ts';
import { leaveWhenStored } from './leaving.ts';
import { rankInPlace } from './ranking.ts';
import { createSaver } from './saver.ts';
import { uploadDirectly } from './uploads.ts';

const form = document.querySelector<HTMLFormElement>('form[data-autosave]');
if (form) {
  const texts = JSON.parse(form.dataset.texts ?? '{}');
  // The server checks the fields, with messages at each of them.
  form.noValidate = true;
  form.dataset.scripts = '';
  prepareAnnouncer();
  rankInPlace(form, texts);
  const saver = createSaver(form, texts);
  saveAutomatically(saver);
  leaveWhenStored(saver, uploadDirectly(form, texts));
} else if (document.querySelector('[data-kept]')) offerKept(readKeptEntries());
