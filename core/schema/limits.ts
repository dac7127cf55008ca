/**
 * Limits that texts of pages name, or several modules enforce, apart from these: a page that shows one of these texts, and the
 * scripts, load nothing but the number.
 */

/** The largest number of sections and of questions of a form, and of choices of a question. */
export const MAX_SECTIONS = 200;
export const MAX_QUESTIONS = 500;
export const MAX_CHOICES = 500;

/** The largest cover of a form: its bytes (2 MB), and its width and height. */
export const MAX_COVER_BYTES = 2 * 1_024 * 1_024;
export const MAX_COVER_PIXELS = 1_800;

/** The largest number of views of a form, and the longest title of one in characters. */
export const MAX_VIEWS = 200;
export const MAX_VIEW_TITLE = 200;

/** A request for the table or statistics reads at most this many responses, even if few of them match. */
export const MAX_SEARCHED = 1_000;
/** And at most as many as have this size together, so that no request takes more than a second of processor time. */
export const MAX_SEARCHED_MB = 50;
/**
 * The size of the responses that are read for counts, and of the drafts for statistics, rounded up for each: below 300 read
 * units together.
 */
export const MAX_READ_KB = 1_000;
export const MAX_DRAFT_KB = 800;
/** From how many of the newest responses the statistics list answers to texts. */
export const NEWEST_RESPONSES = 100;
/** How many of the newest submissions stand for all in the median time to complete, where counters count them. */
export const TIMED_RESPONSES = 80;
/** The first and the last year whose dates the statistics count by month. */
export const FIRST_YEAR = 1_900;
export const LAST_YEAR = 2_100;

/** The largest number of responses that an export returns directly. */
export const MAX_DIRECT_ROWS = 1_000;
/** How long the file of an export is available, and how long the export is listed. */
export const EXPORT_FILE_DAYS = 7;
export const EXPORT_LISTED_DAYS = 30;

/** How many files an archive has at most, and how many GB (of 1,000,000,000 bytes): what one run can read. */
export const MAX_ZIP_FILES = 10_000;
export const MAX_ZIP_GB = 20;

/** How many people can have all responses of a form counted at once, and how long a result is kept. */
export const MAX_COUNTS = 5;
export const COUNT_HOURS = 24;

/** How often an export is attempted, if its worker is interrupted. */
export const MAX_EXPORT_ATTEMPTS = 3;

/** How long an edit of a form can be undone. */
export const UNDO_DAYS = 7;

/** How long a draft of a guest, who has no account, is kept after it was saved last. */
export const GUEST_DRAFT_DAYS = 30;

/** How long a job is attempted. */
export const ATTEMPTED_HOURS = 72;

/** How often a copy that was sent is sent again, and the time in between: nobody may flood a respondent with mails. */
export const MAX_RESENT = 3;
export const RESENT_PAUSE_MINUTES = 60;

/** How many confirmations go to an address in a day, which anybody can enter. */
export const MAX_CONFIRMATIONS = 3;

/** How long a link that is mailed to a guest is valid. */
export const GUEST_LINK_DAYS = 30;

/** How many links are mailed to an address in an hour, which anybody can enter. */
export const MAX_GUEST_LINKS = 3;

/** How many mails about new memberships a person gets in a day; who is added more often is added without one. */
export const MAX_MEMBER_MAILS = 10;

/** How many mails an organization sends to guests in a day while it is younger than so many days. */
export const NEW_ORGANIZATION_MAILS = 50;
export const NEW_ORGANIZATION_DAYS = 14;

/** The longest subject and text of the mails with invitations, in characters. */
export const MAX_MAIL_SUBJECT = 150;
export const MAX_MAIL_TEXT = 5_000;

/** The most columns that a sheet of a workbook can have. */
export const MAX_SHEET_COLUMNS = 16_384;

/** How many members get mails about new responses to a form, and about how many forms of an organization a member gets them. */
export const MAX_NOTICES = 50;
export const MAX_NOTICES_OF_MEMBER = 200;
/** How often a member who wants such mails soon gets one at most. */
export const NOTICE_MINUTES = 5;
/** How many characters of answers such a mail contains. */
export const MAX_NOTICES_TEXT = 50_000;
