/** All texts of the pages in English. `zh-tw.ts` has the same members. */
import { MAX_NAME, MAX_USERNAME, MIN_NAME } from '#core/accounts/model.ts';
import { MAX_BODY_BYTES } from '#core/api/declare.ts';
import { formatFileSize, formatNumber } from '#core/schema/format.ts';
import { GUEST_DRAFT_DAYS, MAX_CONFIRMATIONS, MAX_VIEWS } from '#core/schema/limits.ts';

const plural = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;

/** The position of a respondent: section `position` of `count`, or of at most `count` while the path is not known. */
type Step = { position: number; count: number; isPathKnown: boolean };

const countDays = (days: number): string => (days === 1 ? '1 day' : `${formatNumber(days)} days`);
const draftsGo = (days: number): string =>
  `What you do not submit is deleted ${countDays(days)} after you saved it last.`;

export const en = {
  shell: {
    copy: 'Copy',
    copied: 'Copied',
    notCopied: 'Not copied: the browser does not allow it',
    dismiss: 'Dismiss',
    notSent: 'The service could not be reached. What you typed is still here: try again in a moment.',
    brand: 'Forms',
    skip: 'Skip to content',
    home: 'Home',
    breadcrumb: 'Where you are',
    account: 'Account',
    switchOrganization: 'Switch organization',
    allOrganizations: 'All organizations',
    signOut: 'Sign out',
    signInInNewTab: 'Open sign-in in a new tab',
    tryAgain: 'Try again',
    filesNotKept: 'Files are not kept on this page: choose them again afterwards.',
    language: 'Language',
    back: 'Back',
    continue: 'Continue',
    save: 'Save',
    cancel: 'Cancel',
    required: 'required',
    optional: 'optional',
  },
  signIn: {
    title: 'Sign in',
    lead: 'Sign in to fill in forms and to see responses.',
    leadToForm: 'You were sent a form. Sign in to open it: you return to it right away.',
    leadToPage: 'Sign in to open this page: you return to it right away.',
    with: (provider: string): string => `Continue with ${provider}`,
    demo: 'Demo people',
    demoHint: 'This service runs on your computer. Choose who to sign in as.',
    as: (name: string): string => `Sign in as ${name}`,
    none: 'No sign-in method is set up. Contact the person who runs this service.',
    failed: 'Signing in did not work. Try again, or sign in another way.',
  },
  onboarding: {
    title: 'What should we call you?',
    lead: 'The people who review your responses see these names. You can change them later.',
    username: 'Username',
    usernameHint: `1 to ${MAX_USERNAME} letters, digits, dots, hyphens or underscores.`,
    usernameInvalid: `Enter a username of 1 to ${MAX_USERNAME} letters, digits, dots, hyphens or underscores`,
    usernameTaken: 'This username is taken. Enter another one',
    displayName: 'Name',
    nameHint: `${MIN_NAME} to ${MAX_NAME} letters, digits or underscores.`,
    nameInvalid: `Enter a name of ${MIN_NAME} to ${MAX_NAME} letters, digits or underscores`,
    skip: 'Not now',
  },
  /** The prefix is followed by the title of a page, or by an error. */
  errors: {
    title: 'There is a problem',
    prefix: 'Error: ',
    ofField: (label: string, message: string): string => `${label}: ${message}`,
  },
  conflict: {
    title: 'Somebody else has changed this meanwhile',
    detail: 'What you typed is still here. This is what they have saved. Save again to replace it.',
    empty: 'Nothing',
    useTheirs: 'Use theirs',
  },
  home: {
    build: 'Edit',
    title: 'Home',
    toAnswer: 'Forms for you',
    nothing: 'There are no forms for you yet.',
    nothingHint: 'When somebody sends you a link to a form, open it. Forms that you have started are listed here.',
    status: { NOT_STARTED: 'Not started', IN_PROGRESS: 'In progress', COMPLETED: 'Submitted' },
    closed: 'Closed',
    closes: 'Closes',
    noDeadline: 'No deadline',
    sections: (done: number, all: number): string => `${done} of ${plural(all, 'section', 'sections')} complete`,
    ownForms: 'Your forms',
    allOwnForms: 'All your forms',
    noneFound: (search: string): string => `No form has “${search}” in its title.`,
    noForms: 'There are no published forms and no drafts here.',
    allForms: 'All forms',
    furtherOrganizations: 'More organizations',
    notSubmitted: 'Not submitted',
    formStatus: { DRAFT: 'Draft', PUBLISHED: 'Published', ARCHIVED: 'Archived' },
    responses: (submitted: number, drafts: number): string =>
      `${plural(submitted, 'response', 'responses')}, ${plural(drafts, 'draft', 'drafts')}`,
    review: 'Responses',
    more: 'More forms',
    changeNames: 'Change your names',
  },
  organization: {
    search: 'Search by title',
    searchSubmit: 'Search',
    noneYet: 'No form among these has this title. Continue to the next page.',
    title: 'All forms',
    statuses: 'Forms by status',
    all: 'All',
    none: 'There are no forms here.',
    noForms: 'This organization has no forms yet.',
    next: 'Next page',
    first: 'Back to the first page',
  },
  form: {
    pages: 'Pages of the form',
    edit: 'Edit',
    rules: 'Rules',
    settings: 'Settings',
    look: 'Look',
    share: 'Share',
    responses: 'Responses',
    responsePages: 'Pages of the responses',
    table: 'Table',
    statistics: 'Statistics',
    export: 'Exports',
    views: 'Views',
    drafts: 'Drafts',
    preview: 'Preview',
    publish: 'Publish',
    publishChanges: 'Publish changes',
    more: 'More of this form',
    overview: 'Overview',
    versions: 'Versions',
    allForms: (organization: string): string => `All forms of ${organization}`,
  },
  guest: {
    storedInvited: (days: number): string =>
      `You respond with an invitation: the organization knows whom it invited. The time of your submission is stored. ${draftsGo(days)}`,
    hiddenResponse: 'Its answers are on the device on which it was submitted, and behind its link.',
    code: {
      title: 'Enter your code',
      lead: (organization?: string): string =>
        organization === undefined
          ? 'This form is for invited people.'
          : `This is a form of ${organization}, for people whom it has invited.`,
      noAccount: 'You need no account.',
      closedLead: 'If you have begun it before, your code shows what there is of you.',
      label: 'Code of your invitation',
      hint: 'Such as 0042-A7QK-3M9T-X2P, in any case, with or without hyphens.',
      wrong:
        'This is not the code of an invitation to this form, or it is no longer valid. Check it, or ask who invited you.',
      tooMany: 'Many wrong codes were entered. Check yours, or wait a minute.',
      submit: 'Continue',
    },
    storedAddress: (email: string, days: number): string =>
      `You respond as ${email}: the organization sees this address. The time of your submission is stored. ${draftsGo(days)}`,
    mailLink: (email: string): string => `Send the link to ${email}`,
    linkMailed: 'The link is on its way to your address. At most 3 mails an hour are sent.',
    address: {
      title: 'Enter your e-mail address',
      lead: (organization?: string): string =>
        `${organization ?? 'The organization of this form'} asks for your address. You need no account: we send you a link, with which you begin this form and find your answers again.`,
      closedLead: 'If you have begun it before, we send you a link with which you find your answers.',
      label: 'E-mail address',
      hint: 'Nothing is stored before you use the link.',
      wrong: 'Enter an e-mail address such as name@example.org.',
      submit: 'Send the link',
      signInHint: 'Have you begun this form with an account?',
      waiting: {
        title: 'One moment before the link is sent',
        working: 'Please wait some seconds. The link is sent by itself.',
        start: 'Send the link',
      },
      sentTitle: 'Look into your mail',
      sentTo: 'We have sent a link to',
      sentClosed: 'If this form was begun with this address, we have sent a link to',
      sentHint: (days: number): string =>
        `Open it on the device on which you want to answer. It is valid for ${days} days.`,
      nothing: 'No mail?',
      nothingHint: (max: number): string =>
        `Wait some minutes, look into the folder for unwanted mail, and check the address. At most ${max} mails an hour are sent to an address, and none if you have ended the mails of this organization.`,
      again: 'Send it again',
      other: 'Another address',
    },
    stored: (days: number): string =>
      `You need no account. Stored are your answers and the time of your submission. ${draftsGo(days)}`,
    signIn: 'Sign in instead',
    keep: 'Keep my answers on this device for 30 days',
    saved: 'Your answers are saved with each section. You get a link with which you can come back later.',
    later: 'Continue later',
    laterHint: 'With this link you find your answers again, also on another device. Whoever has it can read them.',
    link: 'Link to my answers',
    forget: 'Forget me on this device',
    forgetTitle: 'Forget you on this device?',
    forgetLead:
      'The next person at this device does not see your answers then. They stay stored; only the link to your answers leads to them.',
    forgetConfirm: 'Forget me',
    forgetKeep: 'Keep',
    forgotten: 'This device has forgotten you.',
    waiting: {
      title: 'One moment before you begin',
      lead: (seconds: number): string =>
        `Please wait ${seconds} seconds, then press the button. The wait keeps programs from sending this in great numbers. Pressed earlier, the button leads here again, and the wait begins anew; what you have entered stays.`,
      again: 'It was too soon, or many people are waiting: please wait again.',
      working: 'Please wait some seconds. The form begins by itself.',
      start: 'Start',
    },
    resume: {
      title: 'Continue these answers?',
      begun: 'They were begun on',
      nothing: 'Nothing has been answered with this link yet.',
      hint: 'Continue only if they are yours: what you enter is added to them.',
      confirm: 'Continue',
      startNew: 'Start new',
      beginTitle: 'Begin with this address?',
      beginAs: 'You answer as',
      beginHint: 'Begin only if this is your address: the organization sees it beside your answers.',
      begin: 'Begin',
      notMe: 'This is not me',
    },
    privacy: {
      title: 'What is stored about you',
      back: 'Back to the form',
      lead: (organization?: string): string =>
        organization === undefined
          ? 'The organization that asks these questions decides what it does with the answers. This is what the service stores for it.'
          : `${organization} asks these questions and decides what it does with the answers. This is what the service stores for it.`,
      who: 'Who you are',
      ACCOUNT: 'Your account: its name and addresses are shown to the members of the organization beside your answers.',
      ANYONE:
        'Nothing but what you say of yourself in your answers. A random number of this form tells your responses from others.',
      EMAIL: `Your e-mail address, from when you use the link that is mailed to it until the form is deleted; it is deleted ${GUEST_DRAFT_DAYS} days after the last of your responses was deleted, or if you begin none. Before you use the link the address is stored until the mail is sent, 4 days at most, and a fingerprint of it for an hour, to count the mails.`,
      INVITED:
        'What the organization has entered with your invitation, such as your address or a name, and how far you are; until it deletes the invitation or the form.',
      answers: 'Answers',
      answersKept: (drafts: number | null, submitted: number | null): string =>
        `They are stored with each section that you save, and the members of the organization can read them from then on. ${drafts === null ? '' : `${draftsGo(drafts)} `}What you submit ${submitted === null ? 'stays until' : `is deleted ${countDays(submitted)} after you submitted it, or before that if`} the response, the form or the organization is deleted.`,
      files: 'Files',
      filesHint: 'They are stored with your answers, and deleted with them.',
      times: 'Times',
      timesHint:
        'When you began, saved and submitted, as long as your answers. The network address of your device is not stored.',
      once: 'One response of each person',
      onceOfAccount: 'A fingerprint of your account, until the response or the form is deleted.',
      onceOfGuest: 'That you have begun a response, until it or the form is deleted.',
      onceStays:
        'It stays when the response is deleted for its age: you have responded. It goes when the form is deleted.',
      mail: 'Mail',
      mailHint: 'A copy of what you submit is sent to your address. The service keeps no copy of the mail.',
      confirmation: 'Confirmation',
      confirmationHint:
        'If you enter an address for it, a mail without your answers confirms the submission. A fingerprint of the address is kept for a day, to count the mails.',
      notices: 'Mails to members',
      noticesHint:
        'Members of the organization can have what you submit mailed to them. These mails stay in their mailboxes when your response is deleted.',
      spreadsheet: 'Spreadsheet',
      spreadsheetHint:
        'What you submit is copied to a spreadsheet of the organization at Google. If your response is deleted, its row is cleared.',
      device: 'This device',
      deviceHint:
        'A cookie that belongs to this form only, until the browser is closed, or for 30 days if you want it. The page of the form can forget you on this device.',
      copies: 'Copies',
      copiesHint:
        'Backups are kept for 35 days, files of exports for 7 days. Log lines of the service hold no answers and no addresses, and are kept for a month.',
      deletion: 'Deletion',
      deletionOfAccount:
        'You delete what you have not submitted yourself. For what you have submitted, ask the organization.',
      deletionHint:
        'You delete what you have not submitted yourself, on the page of the form. For what you have submitted, and for what is stored of you, ask the organization.',
    },
  },
  unsubscribe: {
    title: 'End these mails?',
    lead: (organization: string | undefined): string =>
      organization === undefined
        ? 'The organization that sent the mail does not exist any more. It sends no mails.'
        : `${organization} will send no more invitations and reminders to this address, for none of its forms.`,
    confirm: 'End these mails',
    doneTitle: 'No more mails',
    done: (organization: string | undefined): string =>
      organization === undefined
        ? 'The organization does not exist any more.'
        : `${organization} sends no more invitations and reminders to this address. Links that you have received still work.`,
    /** Of the mails to a member about new responses to a form. */
    notices: {
      lead: (form: string | undefined): string =>
        form === undefined
          ? 'The form does not exist any more. There are no mails about it.'
          : `You will get no more mails about new responses to “${form}”.`,
      done: (form: string | undefined): string =>
        form === undefined
          ? 'The form does not exist any more.'
          : `You get no more mails about new responses to “${form}”. Its page of responses lets you ask for them again.`,
    },
  },
  landing: {
    start: 'Start',
    continue: 'Continue',
    startAnother: 'Start another response',
    yours: 'Your responses',
    draftLabel: 'Draft',
    submittedLabel: 'Submitted',
    view: 'View',
    edit: 'Edit',
    closes: 'Closes',
    opens: 'Opens',
    sections: (count: number): string => (count === 1 ? 'One section' : `Up to ${count} sections`),
    closed: 'This form is closed',
    closedAt: 'It closed on',
    notYet: 'This form is not open yet',
    opensAt: 'It opens on',
    archived: 'This form is archived',
    archivedHint: 'It no longer accepts responses.',
    draft: 'This form is a draft',
    draftHint: 'Only members of the organization can see it. Publish it to collect responses.',
    saved: 'Your answers are saved with each section. You can leave and come back later.',
    draftSaved: 'Your answers are saved.',
    readers: (organization?: string): string =>
      organization === undefined
        ? 'The organization that asks these questions can read your answers as soon as they are saved, before you submit them.'
        : `${organization} asks these questions. Its members can read your answers as soon as they are saved, before you submit them.`,
    prefilled: 'The link fills in answers of a new response. You can change them before you submit.',
    prefillTooLarge: 'The link is too long. Its answers are left out.',
    kept: (days: number): string => `Your answers are deleted after ${countDays(days)}.`,
    full: 'All places are taken',
    fullHint: 'This form takes no more responses, unless somebody withdraws theirs.',
    places: (left: number): string => `${formatNumber(left)} ${left === 1 ? 'place' : 'places'} left`,
    once: 'You have responded. Each person responds once.',
    tooMany: 'You have reached the maximum number of responses for one person.',
    noNew: 'This form takes no new responses from you now.',
  },
  section: {
    noPlace: 'No place left',
    notInPreview: 'Not in the preview: nothing is stored here.',
    step: ({ position, count, isPathKnown }: Step): string =>
      `Section ${position} of ${isPathKnown ? '' : 'up to '}${count}`,
    prefilled: {
      all: 'The link has filled in answers. Check them before you submit.',
      some: 'The link has filled in answers. Some of its values do not fit the form and were left out.',
      none: 'The values of the link do not fit the form and were left out.',
    },
    noQuestions: 'This section has no questions. Continue to the next one.',
    readers: 'The organization that asks can read your answers as soon as they are saved.',
    saveForLater: 'Save and finish later',
    saveAndReturn: 'Save and return',
    nextQuestion: 'Next',
    /** For the script of a section that shows one question at a time. */
    oneQuestion: { step: 'Question {n} of {count}', again: 'Question {n} needs another look' },
    editing: 'You are editing a submitted response. Changes take effect as soon as they are saved.',
    choose: 'Choose an option',
    other: 'Other',
    otherText: 'Please specify',
    noAnswer: 'No answer',
    clear: 'Clear',
    noChoices: 'The choices appear here once you have answered the question that they depend on.',
    dateRange: (first?: string, last?: string): string => {
      if (first && last) return `From ${first} to ${last}`;
      return first ? `${first} or later` : `${last} or earlier`;
    },
    expected: {
      number: (min?: number, max?: number): string => {
        if (min !== undefined && max !== undefined) return `A number from ${min} to ${max}`;
        if (min !== undefined) return `A number that is at least ${min}`;
        return max === undefined ? 'A number' : `A number that is at most ${max}`;
      },
      decimals: (max: number): string =>
        max === 0 ? 'without decimals' : `with at most ${plural(max, 'decimal', 'decimals')}`,
      time: 'As hours and minutes, such as 09:30 or 18:45',
      length: (min?: number, max?: number): string => {
        if (min !== undefined && max !== undefined) return `${min} to ${max} characters`;
        return min === undefined ? `At most ${max} characters` : `At least ${min} characters`;
      },
      selections: (min?: number, max?: number): string => {
        if (min !== undefined && min === max) return `Choose ${min}.`;
        if (min !== undefined && max !== undefined) return `Choose ${min} to ${max}.`;
        return min === undefined ? `Choose at most ${max}.` : `Choose at least ${min}.`;
      },
    },
    year: 'Year',
    month: 'Month',
    day: 'Day',
    rankingHint: 'Add choices in order of preference, best first. Drag to reorder them, or use the buttons.',
    ranked: 'Your order',
    rankedEmpty: 'Your first choice will appear here.',
    unranked: 'Not in your order',
    rankMoves: {
      add: (name: string): string => `Add ${name} to your order`,
      up: (name: string): string => `Move ${name} up`,
      down: (name: string): string => `Move ${name} down`,
      remove: (name: string): string => `Remove ${name} from your order`,
    },
    /** How large a file may be: the largest limit is itself too large. */
    fileSize: {
      atMost: (size: string): string => `at most ${size}`,
      below: (size: string): string => `less than ${size}`,
    },
    filesHint: (count: number, size: string, types: string): string =>
      `${count === 1 ? 'One file' : `Up to ${count} files`}, ${count === 1 ? '' : 'each '}${size}: ${types}.`,
    filesTogether: (size: string): string => `Together at most ${size} at once.`,
    upload: 'Upload',
    remove: 'Remove',
    connect: (service = ''): string => `Connect an account${service && ` at ${service}`}`,
    connectAnother: (service = ''): string => `Connect another account${service && ` at ${service}`}`,
    connectedAs: (service = ''): string => `Connected${service && ` at ${service}`} as`,
    notConnected: 'No account is connected yet.',
    notSaved: 'What you changed last was not saved. What was saved before is kept:',
    answersTooLong: {
      title: 'Your answers are too long to be stored together',
      detail:
        'What you typed stays on this page, and is not saved yet. Shorten some of your answers, then send them again.',
    },
    ownResponses: 'Your responses to this form',
    missingElsewhere: 'With this change, these questions in other sections would have to be answered too:',
    connectionFailed: {
      title: 'The account was not connected',
      detail: 'The other service did not confirm who you are. Try again.',
    },
    conflict: {
      title: 'This answer was changed in another tab or on another device:',
      empty: 'No answer',
      detail: 'Your answer below is not saved until you choose which of the two to keep.',
      keep: 'Keep my answer',
      useOther: 'Use the other answer',
    },
    offPath: {
      title: 'This section is no longer part of the form',
      detail: 'What you typed was not saved. Copy what you need.',
    },
    removedQuestion: 'This question was removed from the form. Your answer was not saved. Copy it if you need it.',
    required: {
      text: 'Enter an answer',
      link: 'Enter a web address',
      date: 'Enter a date',
      choice: 'Choose an answer',
      otherText: 'Say what “Other” stands for',
      ranking: 'Add at least one choice to your order',
      files: 'Add a file',
      connect: 'Connect an account',
    },
    invalid: {
      text: (max: number): string => `Use at most ${formatNumber(max)} characters`,
      link: 'Enter a full web address, such as https://example.org',
      date: (first?: string, last?: string): string => {
        if (first && last) return `Enter a real date from ${first} to ${last}`;
        if (first) return `Enter a real date, ${first} or later`;
        return last ? `Enter a real date, ${last} or earlier` : 'Enter a real date';
      },
      dateParts: {
        names: { y: 'the year', m: 'the month', d: 'the day' },
        missing: (names: readonly string[]): string => `Enter ${names.join(' and ')} too`,
        year: 'The year must have four digits',
        month: 'The month must be a number from 1 to 12',
        day: 'The day must be a number from 1 to 31',
        noSuchDay: 'This day does not exist: the month has fewer days',
      },
      formats: {
        not_email: 'Enter an e-mail address, such as name@example.org',
        not_phone: 'Enter a telephone number with 6 to 15 digits, such as +886 2 2345 6789',
        not_time: 'Enter a time of day from 00:00 to 23:59, such as 09:30',
      },
      number: (maxDigits: number): string => `Enter a number of at most ${maxDigits} digits, such as 12 or 3.5`,
      numberRange: (min?: number, max?: number): string => {
        if (min !== undefined && max !== undefined) return `Enter a number from ${min} to ${max}`;
        return min === undefined ? `Enter a number that is at most ${max}` : `Enter a number that is at least ${min}`;
      },
      decimals: (max: number): string =>
        max === 0 ? 'Enter a whole number' : `Enter at most ${plural(max, 'decimal', 'decimals')}`,
      length: (min?: number, max?: number): string => {
        if (min !== undefined && max !== undefined) return `Enter ${min} to ${max} characters`;
        if (min === undefined) return `Use at most ${plural(max ?? 0, 'character', 'characters')}`;
        return `Enter at least ${plural(min, 'character', 'characters')}`;
      },
      selections: (min?: number, max?: number): string => {
        if (min !== undefined && min === max) return `Choose exactly ${min}`;
        if (min !== undefined && max !== undefined) return `Choose ${min} to ${max}`;
        return min === undefined ? `Choose at most ${max}` : `Choose at least ${min}`;
      },
      scale: (min: number, max: number): string => `Choose a number from ${min} to ${max}`,
      choice: 'Choose one of the answers below',
      ranking: 'Use only the choices below in your order',
      files: (count: number, types: string, size: string): string =>
        `Choose at most ${plural(count, 'file', 'files')} of type ${types}, each ${size}. The content must match the type`,
      connect: (service = 'the requested service'): string => `Connect an account at ${service}`,
      noPlace: (names: string): string => `${names} has no place left: choose something else`,
      removedChoice: (other: string): string =>
        `Not saved: an answer that you chose is no longer offered${other === '' ? '' : ` (${other})`}. Choose again`,
      notAttached: (names: string, fault: string): string => `Not attached: ${names}. ${fault}`,
      tooManyFiles: (max: number): string => `At most ${plural(max, 'file', 'files')} can be attached`,
      fileContent: 'The file was not attached: its content does not match the type in its name',
    },
  },
  check: {
    title: 'Check your answers',
    lead: 'Read through your answers before you submit them.',
    incomplete: (count: number): string =>
      `${plural(count, 'question needs', 'questions need')} your attention before you can submit`,
    unanswered: 'not answered yet',
    invalid: 'the answer no longer fits the question',
    faultyTitle: 'This form cannot be submitted at the moment',
    faulty: 'There is a fault in the form itself. Tell the person who sent it to you.',
    tooLate: 'Your response was not submitted',
    fullChoice: 'what you chose has no place left',
    freeAgain: 'When you submitted, no place was left. There is one now: submit again.',
    kept: 'Your answers are kept as a draft:',
    none: 'No answer',
    change: 'Change',
    answer: 'Answer',
    thenEdit: 'After you submit, you can still change your answers while the form is open.',
    thenFinal: 'After you submit, you can change an answer only by withdrawing your response.',
    submit: 'Submit',
  },
  done: {
    title: 'Thank you',
    changedTitle: 'Your change was saved',
    submitted: 'Your response was submitted on',
    changed: 'Last changed on',
    reference: 'Reference:',
    next: 'What happens next',
    mail: (address: string): string => `We send a copy of your answers to ${address}.`,
    confirmation: (address: string): string =>
      `We send a confirmation with a link to your answers to ${address}, at most ${MAX_CONFIRMATIONS} a day to one address.`,
    mailedOnce: 'A copy is sent when a response is submitted. Your later changes are saved, but no new copy is sent.',
    noMail: 'The people who sent you this form have received your answers.',
    editHint: 'You can change your answers below while the form is open.',
    cancelHint: 'To change an answer, withdraw your response while the form is open, then submit it again.',
    finalHint: 'The form is closed, so your answers can no longer be changed.',
    cancel: 'Withdraw this response',
    print: 'Print or save as PDF',
    answers: 'Your answers',
  },
  draftDeletion: {
    title: 'Delete this draft?',
    lead: 'Your answers and files in it are deleted for good. This cannot be undone. What you have submitted stays.',
    confirm: 'Delete the draft',
    keep: 'Keep it',
    link: 'Delete this draft',
    short: 'Delete',
    done: 'The draft was deleted.',
  },
  withdrawal: {
    title: 'Withdraw this response?',
    lead: 'Your answers are kept as a draft, which the organization that asked can still read, and count again only when you submit them again while the form is open. A copy that was sent by e-mail is not called back.',
    confirm: 'Withdraw the response',
    keep: 'Keep it',
    done: 'Your response was withdrawn',
    doneDetail: 'It is a draft now. Change your answers and submit them again, or leave it as it is.',
  },
  /** Changes of a submitted response that lead to further questions. */
  pendingEdit: {
    title: 'Your changes are not sent yet',
    notice:
      'Your changes are kept here and are not sent yet, because they lead to further questions. Until you send them, the response stays as you submitted it.',
    link: 'See your changes',
    lead: 'They are sent together. Until then, the response stays as you submitted it.',
    before: 'Submitted',
    after: 'Changed to',
    missing: 'These questions have to be answered before you can send your changes:',
    answer: 'Answer them',
    send: 'Send the changes',
    discard: 'Discard the changes',
    back: 'Back to the response',
    discarded: 'Your changes were discarded. The response is as you submitted it.',
    outdated: 'The response itself has changed since you began. Compare both before you send your changes.',
    closed: 'They cannot be sent any more.',
    full: 'They were not sent: a choice that you selected has no place left.',
    later: 'You can add this once your changes are sent.',
    withdrawn: 'Changes that you have not sent are discarded.',
  },
  /** For the scripts of the pages: `{…}` is replaced. */
  scripts: {
    kept: 'Kept at {time}, not sent yet',
    saving: 'Saving…',
    saved: 'Saved {time}',
    retrying: 'Not saved. Trying again…',
    offline: 'Not saved: you are offline. Your changes are kept on this device',
    signedOut: 'Not saved: you are signed out.',
    signIn: 'Open sign-in in another tab, then come back',
    otherPerson: 'Not saved: another person is signed in now. Sign in again in another tab, then come back',
    deleted: 'Not saved: this response was deleted. Copy what you need',
    offPath: 'Not saved: this section is no longer part of the form. Continue to see what comes next',
    tooLong: 'Not saved: your answers are too long to be stored',
    invalid: 'Saved {time}, except the marked answers',
    choose: 'Not saved: choose which answer to keep',
    badDate: 'Enter a complete date that exists',
    waiting: 'Continues once saved…',
    waitingOffline: 'Continues once you are online…',
    busyUploading: 'Uploading…',
    uploading: 'Uploading {name}',
    queued: 'Waiting…',
    uploaded: '{name} was uploaded',
    uploadFailed: '{name} could not be uploaded.',
    uploadRefused: '{name} was not accepted. Reload the page: the form may have changed.',
    formClosed: '{name} was not uploaded: this form does not accept responses now.',
    tooLarge: 'Not uploaded: {name}. Each file must be {max}.',
    empty: 'Not uploaded: {name}. Empty files are not accepted.',
    wrongType: 'Not uploaded: {name}. Only files of type {types} are allowed.',
    tooMany: 'Not uploaded: {name}. The number of files is limited to {max}.',
    uploadFirst: 'A file was not uploaded. Try again or remove it',
    retry: 'Try again',
    cancel: 'Cancel',
    remove: 'Remove',
    fileRemoved: '{name} was removed',
    removeFailed: '{name} could not be removed.',
    restored: 'Your unsaved changes were restored',
    moved: '{name} is now number {position}',
    unranked: '{name} was removed from your order',
  },
  /** For answers that are kept on the device. */
  kept: {
    title: 'Answers that were not saved',
    detail: 'You typed these answers on this device, and they could not be saved. Copy what you need.',
    discard: 'Discard them',
    typed: 'What you typed',
    typedDetail: 'It was not saved. Copy what you need, or try again when you have access.',
    /** The names of the fields that authors, organizers and reviewers type. */
    labels: {
      title: 'Title',
      name: 'Name',
      description: 'Description',
      choices: 'Choices',
      'choice.name': 'Choice',
      'choice.description': 'Description of the choice',
      'choice.limit': 'Places of the choice',
      metadata: 'Further details',
      slug: 'Address',
      email: 'E-mail address',
      'rule.text': 'Text of a rule',
    },
  },
  /** For people who have sent a form of a page that they could see before. */
  lost: {
    forbidden: {
      title: 'You cannot do this any more',
      detail:
        'Nothing was changed. You may have been removed from the organization, or are no longer one of its admins. Ask an admin for access, or sign in with another account.',
    },
    not_found: {
      title: 'This is no longer here',
      detail: 'Nothing was changed: it was deleted, or you no longer have access to it.',
    },
  },
  problem: {
    not_found: {
      title: 'Page not found',
      detail:
        'There is nothing at this address, or you do not have access. Check the address, or ask the person who sent it to you.',
    },
    forbidden: {
      title: 'You do not have access',
      detail: 'Ask an admin of the organization for access, or sign in with another account.',
    },
    no_place_left: {
      title: 'No place left',
      detail:
        'What you chose has no place left. Choose something else, or try again later: places become free when others withdraw.',
    },
    unauthorized: {
      title: 'You are signed out',
      detail: 'Your answers are kept on this page. Open sign-in in a new tab, then come back and try again.',
    },
    origin_not_allowed: {
      title: 'Request refused',
      detail: 'The request came from another site. Open the page here and try again.',
    },
    content_too_large: {
      title: 'Too large to be stored',
      get detail(): string {
        return `Nothing was changed. Go back and shorten what you typed, or send fewer or smaller files: together at most ${formatFileSize({ language: 'en' }, MAX_BODY_BYTES)} when scripts are turned off.`;
      },
    },
    storage_full: {
      title: 'No room for more files',
      detail:
        'The organization of this form has stored as many files as it may. Your other answers are saved; tell the people who sent you this form.',
    },
    unavailable: {
      title: 'The service is busy',
      detail: 'Nothing is lost. Wait a few seconds, then try again.',
    },
    too_many_requests: {
      title: 'Too often in a short time',
      detail: 'Go back, wait a while, then try again.',
    },
    response_submitted: {
      title: 'Already submitted',
      detail: 'This response has been submitted, and the form does not allow changes.',
    },
    response_incomplete: {
      title: 'Your change was not saved',
      detail:
        'A submitted response must stay complete. Answer the questions that are named here, or withdraw your response to change more.',
    },
    form_not_open: {
      title: 'This form does not accept responses now',
      detail: 'It is closed, archived or not open yet.',
    },
    view_locked: { title: 'This view is locked', detail: 'Somebody locked it. Unlock it before you delete it.' },
    too_many_views: {
      title: 'Too many views',
      detail: `A form can have at most ${MAX_VIEWS} views. Delete one first.`,
    },
    invalid_request: {
      title: 'Something is wrong with this request',
      detail: 'Go back, check what you entered and try again.',
    },
    other: { title: 'Something went wrong', detail: 'Go back and try again. If it happens again, report the code' },
  },
};

export type Text = typeof en;
