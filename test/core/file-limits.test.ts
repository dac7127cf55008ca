/** The limits of one file: the question's own, and always less than 10,485,760 bytes. */
import { expect, test } from 'vitest';
import { type FileQuestion, fileFaults } from '#core/files/checks.ts';

const question = (maxFileSizeLimit: number): FileQuestion => ({
  id: 'q',
  type: 'UPLOAD_FILE',
  required: false,
  title: 'Photos',
  description: null,
  uploadFile: { allowedFileTypes: ['PDF'], maxFileAmount: 1, maxFileSizeLimit },
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
});

test.each([
  [1_000, 1_000, true],
  [1_000, 1_001, false],
  [10_485_760, 10_485_759, true],
  [10_485_760, 10_485_760, false],
])('a question that allows %d bytes takes a file of %d bytes: %s', (limit, size, isAllowed) => {
  expect(fileFaults(question(limit), { filename: 'a.pdf', size }, '').length === 0).toBe(isAllowed);
});
