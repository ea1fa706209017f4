// Generated from the OpenAPI document. Do not edit: run "bun tools/clients/generate.ts" instead.

export interface paths {
    "/accounts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the connected mailboxes
         * @description Lists all mailboxes on one page, in the order in which they were connected. Mailboxes are connected on the settings page or on the command line, never through this API.
         *
         *     Requires the `mail:read` scope.
         */
        get: operations["listAccounts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/accounts/{id}/completeness": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the completeness of a mailbox
         * @description Returns the last comparison of every folder with the mail server, UID by UID. A comparison runs after the first sync, then daily. You can also request one on the settings page or with `postroom account check`. Missing messages are fetched at once and compared again before the result is recorded. On Gmail, only All Mail, Spam and Trash are compared, because the other folders show the same messages.
         *
         *     The sandbox and imported mailboxes have no mail server to compare with: `complete` is null, and `sentence` says so.
         *
         *     Requires the `mail:read` scope.
         */
        get: operations["getCompleteness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/threads": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List threads
         * @description Lists threads, newest message first. Filters are combined with AND.
         *
         *     Requires the `mail:read` scope.
         */
        get: operations["listThreads"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/threads/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a thread
         * @description Returns a thread with its messages, oldest first. If the thread was merged into another one, returns that thread.
         *
         *     Requires the `mail:read` scope.
         */
        get: operations["getThread"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Update a thread
         * @description Archives, snoozes, labels or stars a thread, marks it as read or unread, or moves it to the inbox, trash or spam. You can combine several changes in one call, and all are reversible. Changes are mirrored to the mail provider, except for read-only mailboxes. Emits `thread.updated`. No-op changes are ignored and emit no event.
         *
         *     Requires the `mail:write` scope.
         */
        patch: operations["updateThread"];
        trace?: never;
    };
    "/threads/{id}/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the messages of a thread
         * @description Lists messages in the order of receipt, oldest first.
         *
         *     Requires the `mail:read` scope.
         */
        get: operations["listThreadMessages"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/threads/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Update several threads
         * @description Applies up to 100 changes with the rules of `PATCH /threads/{id}`: archives, snoozes, labels or stars threads, marks them as read or unread, or moves them. Each change succeeds or fails alone and has its own outcome. A change that fails changes nothing. The request counts as one towards the limits. A malformed request is 400 `invalid_params` as a whole, and then nothing is changed.
         *
         *     Requires the `mail:write` scope.
         */
        post: operations["updateThreads"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/labels": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List labels
         * @description Lists the labels that a thread has and those that were created, by name. A key that is bound to one mailbox sees the labels of that mailbox, with the counts there.
         *
         *     Requires the `mail:read` scope.
         */
        get: operations["listLabels"];
        put?: never;
        /**
         * Create a label
         * @description Creates a label that no thread has yet, or returns the existing label with this name. Labels that you add to threads need not be created first. A mail server gets the label when a thread gets it.
         *
         *     Requires the `mail:write` scope.
         */
        post: operations["createLabel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/labels/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete a label
         * @description Removes a label from all threads. The threads are kept. You cannot undo this. The change is mirrored to the mail servers, except for read-only mailboxes, and each thread emits `thread.updated`. Threads of a label with many threads change in the background. Until then, the label cannot be changed again or added to threads: 409 `label_busy`. A key that is bound to one mailbox changes only the threads of that mailbox. Rules that add the label continue to add it to new mail.
         *
         *     Requires the `mail:write` scope.
         */
        delete: operations["deleteLabel"];
        options?: never;
        head?: never;
        /**
         * Rename a label
         * @description Renames a label on all threads, and in the rules that add or remove it. The change is mirrored to the mail servers, except for read-only mailboxes, and each thread emits `thread.updated`. Threads of a label with many threads change in the background. Until then, the label cannot be changed again or added to threads: 409 `label_busy`. A name that another label has is 409 `label_exists`. A key that is bound to one mailbox changes only the threads of that mailbox. If another mailbox has the label or one with the new name, the renamed label has another id than before.
         *
         *     Requires the `mail:write` scope.
         */
        patch: operations["renameLabel"];
        trace?: never;
    };
    "/folders": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List folders
         * @description Lists the folders of the mail servers: by mailbox, then by role, then by path. Excluded folders are not listed.
         *
         *     Requires the `mail:read` scope.
         */
        get: operations["listFolders"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/messages/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a message
         * @description Returns a message with its text, headers and list of attachments.
         *
         *     Requires the `mail:read` scope.
         */
        get: operations["getMessage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/messages/{id}/body": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a message as sanitized HTML
         * @description Returns a complete HTML document without scripts, forms, frames or tracking pixels. Links open outside the document's sandbox. The rules of the mail's style sheets are in style attributes. Inline images are embedded; they are omitted while the mail server is unreachable. Nothing is loaded from the web unless `images` is `remote`, which also applies to background images. If the message is larger than Postroom stores, the page ends with a notice and the header `X-Truncated` is `true`.
         *
         *     Requires the `mail:read` scope.
         */
        get: operations["getMessageBody"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/messages/{id}/unsubscribe": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Unsubscribe from a mailing
         * @description Sends a one-click unsubscribe request (RFC 8058) to the sender's server. Available for messages whose `unsubscribe` is not null. The request is one POST over HTTPS, to public addresses only, without cookies, and redirects are not followed. It reveals to the sender that the address is in use, so `confirm` must be true. Each message is unsubscribed once: repeating the call returns the first result. In the sandbox, nothing is sent.
         *
         *     Requires the `mail:write` scope.
         */
        post: operations["unsubscribe"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/messages/{id}/attachments/{att_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download an attachment
         * @description Streams the attachment with its own content type. Supports `Range` (one range; 206) and `If-None-Match` (304). `Content-Disposition` makes browsers save the file instead of displaying or running it.
         *
         *     Requires the `mail:read` scope.
         */
        get: operations["getAttachment"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/messages/{id}/raw": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download the source of a message
         * @description Streams the message as stored on the mail server (RFC 5322). Supports `Range` (one range; 206) and `If-None-Match` (304). `Content-Disposition` makes browsers save the file instead of displaying or running it.
         *
         *     Requires the `mail:read` scope.
         */
        get: operations["getMessageSource"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/drafts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List drafts
         * @description Lists drafts, most recently changed first.
         *
         *     Requires the `drafts:read` scope.
         */
        get: operations["listDrafts"];
        put?: never;
        /**
         * Create a draft
         * @description Creates a draft and emits `draft.created`.
         *
         *     With `reply_to_thread_id`, the draft replies to the newest message of that thread. It inherits the recipients, the subject (with one `Re:`) and the threading headers. `to` and `cc` replace the inherited recipients.
         *
         *     With `use_ai`, the body is written from `instructions` in the style of the user's sent mail. This also requires the `ai:invoke` scope and spends 1 credit. If the draft contains a link, an address or an amount that occurs in none of its sources, `ai.held_for_review` is true and the reasons are listed. The sources are the thread, the personal context and the instructions. If neither `to` nor `cc` is given, the other people of the newest message receive a copy, unless a stranger wrote it. Parts that the built-in engine cannot write are gaps in square brackets, listed in `ai.gaps`.
         *
         *     Requires the `drafts:write` scope.
         */
        post: operations["createDraft"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/drafts/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a draft
         * @description Returns a draft with its recipients, body and list of attachments.
         *
         *     Requires the `drafts:read` scope.
         */
        get: operations["getDraft"];
        put?: never;
        post?: never;
        /**
         * Delete a draft
         * @description Deletes a draft and its attachments. A draft that is being sent cannot be deleted: the response is 409 `draft_locked`.
         *
         *     Requires the `drafts:write` scope.
         */
        delete: operations["deleteDraft"];
        options?: never;
        head?: never;
        /**
         * Update a draft
         * @description Changes the fields that are present. A draft that is being sent cannot be changed: the response is 409 `draft_locked`. Cancel the send first.
         *
         *     Requires the `drafts:write` scope.
         */
        patch: operations["updateDraft"];
        trace?: never;
    };
    "/drafts/{id}/attachments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Attach a file to a draft
         * @description Adds a file to a draft. All attachments of a draft together can have at most 25 MiB. With `content_id` (without angle brackets), the file is an inline image that the HTML of `body` references as `cid:`.
         *
         *     Requires the `drafts:write` scope.
         */
        post: operations["addDraftAttachment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/drafts/{id}/attachments/{att_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove an attachment
         * @description Removes an attachment from a draft. If the draft is being sent, the response is 409 `draft_locked`.
         *
         *     Requires the `drafts:write` scope.
         */
        delete: operations["removeDraftAttachment"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/drafts/{id}/send": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a draft
         * @description Schedules a draft for sending. `confirm` must be true; otherwise the response is 400 `invalid_params`. The message is dispatched when the undo window ends. Until then, `POST /sends/{id}/cancel` cancels the send. Each send counts against the plan's daily sends. The header `Idempotency-Key` is required. The draft is locked until the send has ended.
         *
         *     Requires the `mail:send` scope.
         */
        post: operations["sendDraft"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/messages/send": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Compose and send a message in one call
         * @description Composes and schedules a message without a draft. Meant for scripts. The message is dispatched when the undo window ends. Until then, `POST /sends/{id}/cancel` cancels the send. Each send counts against the plan's daily sends. The header `Idempotency-Key` is required. A canceled or failed send leaves a draft.
         *
         *     Requires the `mail:send` scope.
         */
        post: operations["sendMessage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sends/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a send
         * @description Cancels a send that has not been dispatched yet. The draft can then be edited and sent again. After dispatch, the response is 409 `undo_window_elapsed`.
         *
         *     Requires the `mail:send` scope.
         */
        post: operations["cancelSend"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sends": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List sends
         * @description Lists sends, newest first.
         *
         *     Requires the `mail:send` scope.
         */
        get: operations["listSends"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sends/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a send
         * @description Returns the current status of a send.
         *
         *     Requires the `mail:send` scope.
         */
        get: operations["getSend"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/contacts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List contacts
         * @description Lists everyone who has exchanged mail with the user, most recent contact first. Several addresses are merged into one contact if they have the same name and are derived from it. For example, ann.lee@ and alee@ are merged for Ann Lee.
         *
         *     Requires the `contacts:read` scope.
         */
        get: operations["listContacts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/contacts/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Update a contact
         * @description Marks a contact as a VIP or changes the notes about it. Only the fields that are present change.
         *
         *     Requires the `contacts:write` scope.
         */
        patch: operations["updateContact"];
        trace?: never;
    };
    "/contacts/import": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Import an address book
         * @description Imports a vCard file (version 2.1, 3.0 or 4.0) of at most 5000 cards. All addresses of a card become one contact. Importing the same file again changes nothing.
         *
         *     Requires the `contacts:write` scope.
         */
        post: operations["importContacts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/rules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List rules
         * @description Lists rules in the order in which they run: by priority, lowest number first.
         *
         *     Requires the `mail:read` scope.
         */
        get: operations["listRules"];
        put?: never;
        /**
         * Create a rule
         * @description Creates a rule that runs after all existing rules: it gets the highest priority number. Rules of kind `inbox` are applied to new mail before `message.received` is emitted. Their changes are mirrored to the mail server.
         *
         *     Requires the `mail:write` scope.
         */
        post: operations["createRule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/rules/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete a rule
         * @description Deletes a rule. The changes it has made are kept.
         *
         *     Requires the `mail:write` scope.
         */
        delete: operations["deleteRule"];
        options?: never;
        head?: never;
        /**
         * Update a rule
         * @description Renames, edits, pauses or resumes a rule. Only the fields that are present change; `conditions` and `actions` replace all that the rule had. Changes apply to new mail. A run started with `POST /rules/{id}/apply` continues with the rule as it was; pausing the rule stops the run. For a rule of kind `agent` that is paused, the agent treats its senders as if the rule did not exist.
         *
         *     Requires the `mail:write` scope.
         */
        patch: operations["updateRule"];
        trace?: never;
    };
    "/rules/order": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Reorder rules
         * @description Changes the order in which rules run. `ids` must contain each rule that `GET /rules` returns exactly once, of both kinds. The rules get the priorities 1, 2, 3 and so on. With a key that is bound to one mailbox, the rules of that mailbox exchange their priorities, and no other rule changes.
         *
         *     Requires the `mail:write` scope.
         */
        put: operations["reorderRules"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/rules/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Preview a rule
         * @description Returns what the rule would change in mail of the last days. Nothing is changed and nothing is stored.
         *
         *     Requires the `mail:read` scope.
         */
        post: operations["previewRule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/rules/{id}/apply": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the progress of applying a rule
         * @description Returns the progress of the last run started with `POST /rules/{id}/apply`; 404 `not_found` if there is none.
         *
         *     Requires the `mail:read` scope.
         */
        get: operations["getRuleProgress"];
        put?: never;
        /**
         * Apply a rule to existing mail
         * @description Starts to apply the rule in the background. To follow its progress, call `GET /rules/{id}/apply`. A second call while it runs has no effect, unless the rule was edited since: then the run begins again with the edited rule. A paused rule is 400 `invalid_params`.
         *
         *     Requires the `mail:write` scope.
         */
        post: operations["applyRule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/context/profiles": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List client profiles
         * @description Lists client profiles, most recently changed first.
         *
         *     Requires the `context:read` scope.
         */
        get: operations["listContextProfiles"];
        put?: never;
        /**
         * Create a client profile
         * @description Creates a profile for a domain. Each domain can have one profile.
         *
         *     Requires the `context:write` scope.
         */
        post: operations["createContextProfile"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/context/profiles/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a client profile
         * @description Returns a profile with its variables and notes.
         *
         *     Requires the `context:read` scope.
         */
        get: operations["getContextProfile"];
        put?: never;
        post?: never;
        /**
         * Delete a client profile
         * @description Deletes a profile and its files.
         *
         *     Requires the `context:write` scope.
         */
        delete: operations["deleteContextProfile"];
        options?: never;
        head?: never;
        /**
         * Update a client profile
         * @description Changes the fields that are present. `set` sets or removes variables, and `append_note` adds a note.
         *
         *     Requires the `context:write` scope.
         */
        patch: operations["updateContextProfile"];
        trace?: never;
    };
    "/context/variables": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List global variables
         * @description Lists all global variables.
         *
         *     Requires the `context:read` scope.
         */
        get: operations["listContextVariables"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/context/variables/{key}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Set a global variable
         * @description Creates or replaces a global variable. A profile can override it with a value of the same type.
         *
         *     Requires the `context:write` scope.
         */
        put: operations["setContextVariable"];
        post?: never;
        /**
         * Delete a global variable
         * @description Deletes a global variable.
         *
         *     Requires the `context:write` scope.
         */
        delete: operations["deleteContextVariable"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/context/files": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List context files
         * @description Lists context files, newest first.
         *
         *     Requires the `context:read` scope.
         */
        get: operations["listContextFiles"];
        put?: never;
        /**
         * Upload a context file
         * @description Stores a file of at most 10 MiB. With `profile_id`, the file belongs to that profile; otherwise it applies to all mail.
         *
         *     Requires the `context:write` scope.
         */
        post: operations["addContextFile"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/context/files/{id}/content": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download a context file
         * @description Returns the file as it was uploaded.
         *
         *     Requires the `context:read` scope.
         */
        get: operations["getContextFileContent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/context/files/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete a context file
         * @description Deletes a context file.
         *
         *     Requires the `context:write` scope.
         */
        delete: operations["deleteContextFile"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/calendar/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List calendar events
         * @description Lists the events in a time window, sorted by start. Series are expanded: each occurrence is a separate entry.
         *
         *     Requires the `calendar:read` scope.
         */
        get: operations["listCalendarEvents"];
        put?: never;
        /**
         * Create an event
         * @description Creates an event. If a calendar is connected, the event is added to the first connected calendar. No invitations are sent.
         *
         *     Requires the `calendar:write` scope.
         */
        post: operations["createCalendarEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/calendar/events/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete an event
         * @description Deletes an event. A series is deleted as a whole. No one is notified by mail.
         *
         *     Requires the `calendar:write` scope.
         */
        delete: operations["deleteCalendarEvent"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List events
         * @description Returns the events of the last 30 days, oldest first. With `Accept: text/event-stream`, returns the same events as server-sent events and keeps the connection open for new ones. The field `id` of each server-sent event is a cursor, and the header `Last-Event-ID` takes precedence over `after`. Receivers without a public address can use this endpoint instead of webhooks.
         *
         *     Requires the `webhooks:manage` scope.
         */
        get: operations["listEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List webhook endpoints
         * @description Lists endpoints, newest first.
         *
         *     Requires the `webhooks:manage` scope.
         */
        get: operations["listWebhooks"];
        put?: never;
        /**
         * Create a webhook endpoint
         * @description Creates an endpoint that receives events from now on. Store the secret: it signs the deliveries and is shown only once. The plan limits the number of endpoints; beyond the limit, the response is 402 `plan_required`.
         *
         *     Requires the `webhooks:manage` scope.
         */
        post: operations["createWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a webhook endpoint
         * @description Returns an endpoint without its secret.
         *
         *     Requires the `webhooks:manage` scope.
         */
        get: operations["getWebhook"];
        put?: never;
        post?: never;
        /**
         * Delete a webhook endpoint
         * @description Deletes an endpoint and its delivery history.
         *
         *     Requires the `webhooks:manage` scope.
         */
        delete: operations["deleteWebhook"];
        options?: never;
        head?: never;
        /**
         * Update a webhook endpoint
         * @description Changes the URL, the subscribed events or the status of an endpoint. `status: "active"` clears the failure streak. All events still in the log are then delivered: pending ones, those given up during the streak, and those emitted while the endpoint was disabled.
         *
         *     Requires the `webhooks:manage` scope.
         */
        patch: operations["updateWebhook"];
        trace?: never;
    };
    "/webhooks/{id}/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate the secret
         * @description Replaces the secret and returns the new one, which is shown only once. For 24 hours, deliveries are also signed with the old secret.
         *
         *     Requires the `webhooks:manage` scope.
         */
        post: operations["rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List deliveries
         * @description Lists the deliveries of an endpoint, newest first, each with its last attempt. Deliveries are kept as long as their events.
         *
         *     Requires the `webhooks:manage` scope.
         */
        get: operations["listWebhookDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{id}/deliveries/{delivery_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a delivery
         * @description Returns a delivery with its newest 50 attempts, oldest first.
         *
         *     Requires the `webhooks:manage` scope.
         */
        get: operations["getWebhookDelivery"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{id}/deliveries/{delivery_id}/redeliver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Redeliver an event
         * @description Sends the same event again with the same `webhook-id`, regardless of the state of the earlier delivery. The first attempt is immediate; further attempts follow the retry schedule. If the endpoint is disabled, the event is sent when the endpoint is active again.
         *
         *     Requires the `webhooks:manage` scope.
         */
        post: operations["redeliverWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/brief/latest": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the latest brief
         * @description Returns the latest brief; 404 `not_found` if there is none yet. Each item names its message and the position of the quoted words. Items whose words no longer exist are omitted.
         *
         *     Requires the `brief:read` scope.
         */
        get: operations["getLatestBrief"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/brief/generate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Generate today's brief
         * @description Generates the brief of today and spends 3 AI credits. The new brief replaces an earlier one of the same day. Emits `brief.ready`.
         *
         *     Requires the `ai:invoke` scope.
         */
        post: operations["generateBrief"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/brief/settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get brief settings
         * @description Returns whether and when the daily brief is generated, and whether it is emailed to the user.
         *
         *     Requires the `brief:read` scope.
         */
        get: operations["getBriefSettings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Update brief settings
         * @description Changes the fields that are present. Not available to a key that is bound to one mailbox, because the brief covers all mailboxes.
         *
         *     Requires the `ai:invoke` scope.
         */
        patch: operations["updateBriefSettings"];
        trace?: never;
    };
    "/ai/ask": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Answer a question from your mail
         * @description Answers a question and cites the exact words that support each statement. An answer spends 1 credit. If nothing in the mail supports an answer, `answered` is false and no credit is spent.
         *
         *     Requires the `ai:invoke` scope.
         */
        post: operations["askInbox"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ai/summarize": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Summarize a thread
         * @description Summarizes a thread as points, each with a citation of the words it is based on. Spends 1 credit. A thread with nothing to summarize spends none.
         *
         *     Requires the `ai:invoke` scope.
         */
        post: operations["summarizeThread"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ai/extract": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Extract facts from a thread
         * @description Finds commitments, dates, questions, decisions and sums of money with rules that run on this machine. No language model is used. Each finding cites its position in the message. Spends 1 credit. If nothing is found, no credit is spent.
         *
         *     Requires the `ai:invoke` scope.
         */
        post: operations["extractFromThread"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ai/engine": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the AI engine status
         * @description Returns which engine answers, the host that mail text is sent to, and why a configured model is not in use.
         *
         *     Requires the `ai:invoke` scope.
         */
        get: operations["getAiEngine"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ai/calls": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List calls to language models
         * @description Lists every call to a language model, and every request of `postroom model pull`, newest first, including failed ones. Without a model and such requests, the list is empty. Not available to a key that is bound to one mailbox.
         *
         *     Requires the `audit:read` scope.
         */
        get: operations["listModelCalls"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agent/run": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Run the agent on new mail
         * @description Runs one pass over mail received since the last pass, at most seven days back. The agent only handles mail from senders that a rule of kind `agent` covers. It labels, categorizes and archives where the mode and the allow list permit, and writes drafts that wait for review. The agent never sends mail. Each draft spends 1 credit.
         *
         *     Requires the `agent:run` scope.
         */
        post: operations["runAgent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agent/actions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List agent actions
         * @description Lists what the agent did and why, newest first. Includes suggestions: actions that the rules did not permit it to carry out.
         *
         *     Requires the `agent:read` scope.
         */
        get: operations["listAgentActions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agent/actions/{id}/undo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Undo an agent action
         * @description Removes the labels that the agent added, restores the category and the inbox, and deletes its draft. Later changes are kept. An action that was only suggested or is already undone, or whose draft was edited, is 400 `invalid_params`.
         *
         *     Requires the `agent:run` scope.
         */
        post: operations["undoAgentAction"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Search mail
         * @description Searches all mail and returns the best match of each thread, best first, at most 500 results. Trash and spam are searched only if `in:` names a place.
         *
         *     These operators work in every mode: `from:` `to:` `cc:` `bcc:` `deliveredto:` (each takes `me`), `subject:` `filename:` `list:` `label:` `category:primary|social|promotions|updates` `in:inbox|archived|sent|drafts|snoozed|trash|spam|anywhere` `is:unread|read|starred|important` `has:attachment|pdf|image|document|spreadsheet|presentation|link` `before:` `after:` `older:` `newer:` `older_than:` `newer_than:` `larger:` `smaller:` `size:` `rfc822msgid:`, `"phrases"`, `-negation`, `OR`, `{either or}`, `(groups)`, `subject:(all of these)`, `prefix*`. Text that is not a well-formed operator is searched as text (`in: the box`). An operator with a value that cannot be interpreted (`before:Friday`) is 400 `invalid_params`. A query word that occurs in no message is searched for in another spelling, which `corrections` reports.
         *
         *     `semantic` and `hybrid` spend 1 credit; further pages of the same search spend none.
         *
         *     Requires the `search:read` scope.
         */
        post: operations["search"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/search/suggest": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Complete a query
         * @description Completes the last token of a query while it is typed: names of operators (`fr` to `from:`), their values (`from:mar` to contacts, `label:`, `in:`, `is:`, `has:` and others), and for a word without an operator also contacts, labels and subjects of recent threads. Contacts are sorted by latest contact and number of threads. Spends no credit.
         *
         *     Requires the `search:read` scope.
         */
        get: operations["suggestSearch"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get plan and usage
         * @description Returns the plan, its limits and what is used. Live and test keys are counted separately.
         *
         *     `sends` shows the cap that currently applies to this key. In its first 24 hours, a new key sends at most 50 messages (configurable), and `used` counts the sends of this key alone. After that, or if the plan has less left, `sends` shows the plan's limit.
         *
         *     Requires the `usage:read` scope.
         */
        get: operations["getUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List audit entries
         * @description Lists every change, newest first. A key that is bound to one mailbox sees only the changes it made itself.
         *
         *     Requires the `audit:read` scope.
         */
        get: operations["listAudit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the OpenAPI description */
        get: operations["getOpenapi"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    "message.received": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Emitted when a new message has arrived and has its labels and category. */
        post: operations["onMessageReceived"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "thread.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Emitted when a visible property of a thread has changed, here or on the mail server. */
        post: operations["onThreadUpdated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "send.completed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Emitted when the mail server has accepted a message, after its undo window. */
        post: operations["onSendCompleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "send.failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Emitted when a send has failed and will not be retried. */
        post: operations["onSendFailed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "send.bounced": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Emitted when a message that had been accepted was returned as undeliverable. */
        post: operations["onSendBounced"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "draft.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Emitted when a draft was created by the API or the agent, or by a send that was canceled or failed. */
        post: operations["onDraftCreated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "agent.action": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Emitted when the agent acted on a thread. */
        post: operations["onAgentAction"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "brief.ready": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Emitted when a brief is ready, scheduled or requested. */
        post: operations["onBriefReady"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "approval.requested": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Emitted when a message from an assistant waits for your approval on the settings page. */
        post: operations["onApprovalRequested"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "webhook.test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A test delivery was requested on the settings page or on the command line. Needs no subscription. */
        post: operations["onWebhookTest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        Account: {
            /** @description `acc_…` */
            id: string;
            /**
             * @description Kind of mail provider. `imap`: an IMAP server. `sandbox`: the built-in sample mailbox. `imported`: a mailbox that was read from files and has no server.
             * @enum {string}
             */
            provider: "imap" | "gmail" | "outlook" | "sandbox" | "imported";
            /** @description Mailbox address. */
            email: string;
            /**
             * @description Always `active` for a mailbox without a mail server.
             * @enum {string}
             */
            status: "active" | "connecting" | "auth_failed" | "unreachable" | "paused";
            /**
             * Format: date-time
             * @description When the mailbox was last found to be up to date. For an imported mailbox, when mail was last added.
             * @example 2026-03-02T09:00:00.000Z
             */
            last_sync_at: string | null;
            /** @description Why the last attempt to reach the server failed. */
            last_error: string | null;
            sync: {
                /**
                 * @description `waiting`: not started. `importing`: the first sync is running. `live`: up to date and watching for changes.
                 * @enum {string}
                 */
                phase: "waiting" | "importing" | "live";
                /** @description Messages read so far. */
                done: number;
                /** @description Messages to read in total. */
                total: number;
            };
            search: {
                /** @description Messages in the semantic index. */
                done: number;
                /** @description Messages stored here. */
                total: number;
                /** @description Progress of the full-text index. New mail is indexed at once. After an upgrade, earlier mail is indexed again in the background, newest first. */
                full_text: {
                    /** @description Messages in the full-text index. */
                    done: number;
                    /** @description Messages stored here. */
                    total: number;
                };
            };
        };
        AccountList: {
            data: components["schemas"]["Account"][];
            /** @description Whether another page follows. */
            has_more: boolean;
            /** @description Opaque. Pass it as `cursor` to get the next page. Absent on the last page. */
            next_cursor?: string;
        };
        AgentAction: {
            /** @description `agt_…` */
            id: string;
            thread_id: string;
            /** @description The message that caused the action. */
            message_id: string;
            /** @description Subject of that message; null if the message was deleted. */
            subject: string | null;
            /** @description Sender of that message; null if the message was deleted. */
            from: {
                name: string;
                email: string;
            } | null;
            /** @enum {string} */
            action: "drafted" | "followup" | "triaged";
            /** @enum {string} */
            mode: "suggest" | "draft" | "autopilot";
            /**
             * @description `suggested`: the mode or the allow list did not permit the action, so nothing was changed.
             * @enum {string}
             */
            state: "suggested" | "done" | "undone";
            reason: string;
            /** @description The engine that wrote the draft. */
            engine: string | null;
            /** @description The draft that waits for review. */
            draft_id: string | null;
            changes: {
                labels: string[];
                category: {
                    from: string;
                    to: string;
                } | null;
                archived: boolean;
            };
            evidence: {
                message_id: string;
                /** @description Exact words from the message's `body_text`. */
                quote: string;
                /** @description Start of the quote in `body_text`, in UTF-16 code units. */
                start: number;
                end: number;
            } | null;
            /**
             * Format: date-time
             * @example 2026-03-02T09:00:00.000Z
             */
            created_at: string;
            /** @description The call that undoes the action. */
            undo: {
                /** @constant */
                method: "POST";
                path: string;
            } | null;
        };
        AgentActionList: {
            data: components["schemas"]["AgentAction"][];
            /** @description Whether another page follows. */
            has_more: boolean;
            /** @description Opaque. Pass it as `cursor` to get the next page. Absent on the last page. */
            next_cursor?: string;
        };
        AgentRun: {
            /** @description Number of new messages in the inbox. */
            looked_at: number;
            actions: components["schemas"]["AgentAction"][];
            /** @description True if the limit of the run or of the day was reached. The remaining mail waits for the next pass. */
            capped: boolean;
        };
        Answer: {
            /** @description False if nothing in the mail surely answers the question. In that case no credit is spent. */
            answered: boolean;
            answer: string;
            /** @description How likely the answer is right, estimated by the built-in engine. Null if there is no answer, or if a language model gave it. */
            confidence: number | null;
            citations: {
                message_id: string;
                thread_id: string;
                /** @description Exact words from the message's `body_text`. */
                quote: string;
                /** @description Start of the quote in `body_text`, in UTF-16 code units. */
                start: number;
                /** @description End of the quote, exclusive. */
                end: number;
                /** @description The attachment or invitation that has the words, if they are not in the message itself. `quote`, `start` and `end` are then of its text; an invitation is written as one line with title, day, time and place. */
                attachment_id?: string;
            }[];
            /** @description If `answered` is false: passages that may answer the question, the most likely first. */
            possible: {
                message_id: string;
                thread_id: string;
                /** @description Exact words from the message's `body_text`. */
                quote: string;
                /** @description Start of the quote in `body_text`, in UTF-16 code units. */
                start: number;
                /** @description End of the quote, exclusive. */
                end: number;
                /** @description The attachment or invitation that has the words, if they are not in the message itself. `quote`, `start` and `end` are then of its text; an invitation is written as one line with title, day, time and place. */
                attachment_id?: string;
            }[];
            /** @description Earlier statements with another value, which the answer replaces. */
            replaced: {
                message_id: string;
                thread_id: string;
                /** @description Exact words from the message's `body_text`. */
                quote: string;
                /** @description Start of the quote in `body_text`, in UTF-16 code units. */
                start: number;
                /** @description End of the quote, exclusive. */
                end: number;
                /** @description The attachment or invitation that has the words, if they are not in the message itself. `quote`, `start` and `end` are then of its text; an invitation is written as one line with title, day, time and place. */
                attachment_id?: string;
            }[];
            /** @description Why the configured language model did not answer; null if it did, or if there is none. */
            fallback: string | null;
            /** @description AI credits spent; 0 if there is no result. */
            credits_spent: number;
            /**
             * @description Which engine wrote it. `extractive`: the built-in engine. `local`: a language model on this machine. `hosted`: a language model on another machine.
             * @enum {string}
             */
            engine: "extractive" | "local" | "hosted";
        };
        AuditEntry: {
            /** @example aud_01jz4t9h2m8q5r7v3w6x0y1z2a */
            id: string;
            /** @description Who made the change: an API key, a person, an assistant, a rule, the agent, or the service itself. */
            actor: {
                /** @enum {string} */
                kind: "key" | "user" | "assistant" | "rule" | "agent" | "system";
                id: string | null;
                /** @description The assistant tool that made the change. */
                tool?: string;
            };
            /** @description For example `thread.update` or `key.create`. */
            action: string;
            /** @description Id of the object that was changed. */
            target: string | null;
            /** @description Values before the change; null if the object was created. */
            before: unknown;
            /** @description Values after the change; null if the object was deleted. */
            after: unknown;
            request_id: string | null;
            /**
             * Format: date-time
             * @example 2026-03-02T09:00:00.000Z
             */
            at: string;
        };
        AuditList: {
            data: components["schemas"]["AuditEntry"][];
            /** @description Whether another page follows. */
            has_more: boolean;
            /** @description Opaque. Pass it as `cursor` to get the next page. Absent on the last page. */
            next_cursor?: string;
        };
        Brief: {
            /**
             * Format: date
             * @description The day that the brief covers, in the user's time zone.
             * @example 2026-03-02
             */
            date: string;
            /** @description Questions and requests that wait for the user's reply, most urgent first. */
            needs_reply: {
                thread_id: string;
                from: {
                    name: string;
                    email: string;
                };
                /** @description The reason as a sentence for people. */
                why: string;
                subject: string;
                /**
                 * Format: date-time
                 * @example 2026-03-02T09:00:00.000Z
                 */
                asked_at: string;
                /**
                 * Format: date
                 * @description The day that the sender names.
                 * @example 2026-03-02
                 */
                due: string | null;
                vip: boolean;
                /** @description The message that contains the quote. */
                message_id: string;
                /** @description The sentence, verbatim, with the one before it where that says what it is about. */
                quote: string;
                /** @description Start of the quote in the message's `body_text`, in UTF-16 code units. */
                start: number;
                /** @description End of the quote, exclusive. */
                end: number;
            }[];
            /** @description Promises with a due date, earliest first. */
            commitments: {
                thread_id: string;
                /** @description The quote, on one line. */
                promise: string;
                /**
                 * @description Who made the promise.
                 * @enum {string}
                 */
                by: "me" | "them";
                with: {
                    name: string;
                    email: string;
                };
                /**
                 * Format: date-time
                 * @example 2026-03-02T09:00:00.000Z
                 */
                said_at: string;
                overdue: boolean;
                /** @description The message that contains the quote. */
                message_id: string;
                /** @description The sentence, verbatim, with the one before it where that says what it is about. */
                quote: string;
                /** @description Start of the quote in the message's `body_text`, in UTF-16 code units. */
                start: number;
                /** @description End of the quote, exclusive. */
                end: number;
                /**
                 * Format: date
                 * @example 2026-03-02
                 */
                due: string;
            }[];
            /** @description Promises without a due date, newest first. */
            undated: {
                thread_id: string;
                /** @description The quote, on one line. */
                promise: string;
                /**
                 * @description Who made the promise.
                 * @enum {string}
                 */
                by: "me" | "them";
                with: {
                    name: string;
                    email: string;
                };
                /**
                 * Format: date-time
                 * @example 2026-03-02T09:00:00.000Z
                 */
                said_at: string;
                overdue: boolean;
                /** @description The message that contains the quote. */
                message_id: string;
                /** @description The sentence, verbatim, with the one before it where that says what it is about. */
                quote: string;
                /** @description Start of the quote in the message's `body_text`, in UTF-16 code units. */
                start: number;
                /** @description End of the quote, exclusive. */
                end: number;
                due: null;
            }[];
            /** @description Events of that day and the next. */
            calendar: {
                title: string;
                /**
                 * Format: date-time
                 * @example 2026-03-02T09:00:00.000Z
                 */
                start: string;
                event_id?: string;
                /** @description The thread with the invitation; null if the event is not from mail. */
                thread_id?: string | null;
            }[];
            /**
             * @description Always the built-in engine. The brief never uses a language model.
             * @constant
             */
            engine: "extractive";
            /**
             * Format: date-time
             * @example 2026-03-02T09:00:00.000Z
             */
            generated_at: string;
        };
        BriefGenerated: {
            /**
             * Format: date
             * @example 2026-03-02
             */
            date: string;
            /** @constant */
            status: "ready";
            credits_spent: number;
        };
        BriefSettings: {
            /** @description Whether a brief is generated every day. */
            daily: boolean;
            /** @description Local time of the daily brief. */
            time: string;
            /** @description The user's time zone, an IANA name. */
            timezone: string;
            /** @description Whether the brief is also emailed to the user. Off by default. */
            mail: boolean;
        };
        BriefSettingsPatch: {
            /** @description Whether a brief is generated every day. */
            daily?: boolean;
            /** @description Local time of the daily brief. */
            time?: string;
            /** @description Whether the brief is also emailed to the user. Off by default. */
            mail?: boolean;
        };
        CalendarEvent: {
            /** @description `evt_…`; shared by all occurrences of a series. */
            id: string;
            title: string;
            /**
             * Format: date-time
             * @example 2026-03-02T09:00:00.000Z
             */
            start: string;
            /**
             * Format: date-time
             * @example 2026-03-02T09:00:00.000Z
             */
            end: string;
            /** @description True for whole days: `start` and `end` are then midnights in the user's time zone. */
            all_day: boolean;
            /** @description Email addresses. */
            attendees: string[];
            /**
             * @description `needs_action`: an invitation that the user has not answered. `cancelled`: canceled by the organizer.
             * @enum {string}
             */
            status: "confirmed" | "tentative" | "needs_action" | "declined" | "cancelled";
            location: string;
            description: string;
            /** @description Email address. */
            organizer: string | null;
            /** @description The attendees with their responses. */
            answers: {
                name: string;
                email: string;
                /** @enum {string} */
                status: "needs_action" | "accepted" | "tentative" | "declined" | "delegated";
            }[];
            /**
             * Format: date-time
             * @description Identifies the occurrence of a series by its original start. Null for a single event.
             * @example 2026-03-02T09:00:00.000Z
             */
            recurrence_id: string | null;
            /** @description The connected calendar that contains the event. Null if the event is stored here only. */
            calendar_id: string | null;
        };
        CalendarEventCreate: {
            title: string;
            /**
             * Format: date-time
             * @example 2026-03-02T09:00:00.000Z
             */
            start: string;
            /**
             * Format: date-time
             * @example 2026-03-02T09:00:00.000Z
             */
            end: string;
            /** @default [] */
            attendees: string[];
            /**
             * @description Makes it an all-day event: `start` and `end` are reduced to their days in the user's time zone.
             * @default false
             */
            all_day: boolean;
            /** @default  */
            location: string;
            /** @default  */
            description: string;
        };
        CalendarEventCreated: {
            id: string;
            /** @enum {string} */
            status: "confirmed" | "tentative" | "needs_action" | "declined" | "cancelled";
        };
        CalendarEventDeleted: {
            id: string;
            /** @constant */
            deleted: true;
        };
        CalendarEventList: {
            data: components["schemas"]["CalendarEvent"][];
        };
        Completeness: {
            account_id: string;
            /** @description True if no message is missing or surplus and no folder was refused. Null before the first comparison and for mailboxes without a mail server. */
            complete: boolean | null;
            /** @description The result as a sentence for people. */
            sentence: string;
            /**
             * Format: date-time
             * @description When the last complete comparison ended.
             * @example 2026-03-02T09:00:00.000Z
             */
            verified_at: string | null;
            /** @description Why the latest comparison did not finish. */
            error: string | null;
            total: {
                /** @description Messages on the server. */
                server: number;
                /** @description Messages stored here. */
                here: number;
                /** @description Messages on the server that are not stored here. */
                missing: number;
                /** @description Messages stored here that are no longer on the server. */
                extra: number;
            };
            folders: {
                path: string;
                /** @enum {string} */
                role: "inbox" | "all" | "sent" | "drafts" | "archive" | "snoozed" | "spam" | "trash" | "other";
                /** @description Messages on the server. */
                server: number;
                /** @description Messages stored here. */
                here: number;
                /** @description Messages on the server that are not stored here. */
                missing: number;
                /** @description Messages stored here that are no longer on the server. */
                extra: number;
                /** @description True if the server denied access to the folder. */
                refused: boolean;
                /**
                 * Format: date-time
                 * @example 2026-03-02T09:00:00.000Z
                 */
                verified_at: string;
            }[];
        };
        Contact: {
            /** @description `cnt_…` */
            id: string;
            /** @description Empty if no name is known. */
            name: string;
            email: string;
            /** @description All addresses of this person; `email` is first. */
            emails: string[];
            /**
             * @description `role`: a shared address such as info@. `automated`: a machine that does not expect replies.
             * @enum {string}
             */
            kind: "person" | "role" | "automated";
            vip: boolean;
            /**
             * Format: date
             * @description Day of the newest message to or from this contact, in the user's time zone. Null if the contact is only in an address book.
             * @example 2026-03-02
             */
            last_contact: string | null;
            /** @description Number of threads with this contact, except spam and trash. */
            threads: number;
            notes: string;
        };
        ContactImport: {
            /** @description Cards that were imported. */
            imported: number;
            /** @description Cards without an email address, and cards that could not be read. */
            skipped: number;
        };
        ContactList: {
            data: components["schemas"]["Contact"][];
            /** @description Whether another page follows. */
            has_more: boolean;
            /** @description Opaque. Pass it as `cursor` to get the next page. Absent on the last page. */
            next_cursor?: string;
        };
        ContactPatch: {
            vip?: boolean;
            notes?: string;
        };
        ContactPatched: {
            id: string;
            vip: boolean;
        };
        ContextFile: {
            /** @description `ctf_…` */
            id: string;
            name: string;
            mime: string;
            bytes: number;
            /** @description Null if the file applies to all mail. */
            profile_id: string | null;
            /** @description True if text could be extracted. Supported: plain text, Markdown, HTML, PDF and DOCX. */
            has_text: boolean;
            /**
             * Format: date-time
             * @example 2026-03-02T09:00:00.000Z
             */
            created_at: string;
        };
        ContextFileDeleted: {
            id: string;
            /** @constant */
            deleted: true;
        };
        ContextFileList: {
            data: components["schemas"]["ContextFile"][];
            /** @description Whether another page follows. */
            has_more: boolean;
            /** @description Opaque. Pass it as `cursor` to get the next page. Absent on the last page. */
            next_cursor?: string;
        };
        ContextProfile: {
            /** @description `ctx_…` */
            id: string;
            /** @description The profile covers mail from and to this domain and its subdomains. */
            domain: string;
            name: string;
            /**
             * Format: date-time
             * @example 2026-03-02T09:00:00.000Z
             */
            updated_at: string;
            summary: string;
            /** @description The profile's own variables. They override global variables with the same key. */
            variables: {
                [key: string]: string;
            };
            /** @description Oldest first. */
            notes: {
                /**
                 * Format: date-time
                 * @example 2026-03-02T09:00:00.000Z
                 */
                at: string;
                text: string;
            }[];
        };
        ContextProfileCreate: {
            /** @description Domain of the client, such as client.example. */
            domain: string;
            name?: string;
            summary?: string;
            /** @description Values by dotted key. Null removes the key. */
            set?: {
                [key: string]: string | null;
            };
            append_note?: string;
        };
        ContextProfileDeleted: {
            id: string;
            /** @constant */
            deleted: true;
        };
        ContextProfileItem: {
            /** @description `ctx_…` */
            id: string;
            /** @description The profile covers mail from and to this domain and its subdomains. */
            domain: string;
            name: string;
            /**
             * Format: date-time
             * @example 2026-03-02T09:00:00.000Z
             */
            updated_at: string;
        };
        ContextProfileList: {
            data: components["schemas"]["ContextProfileItem"][];
            /** @description Whether another page follows. */
            has_more: boolean;
            /** @description Opaque. Pass it as `cursor` to get the next page. Absent on the last page. */
            next_cursor?: string;
        };
        ContextProfilePatch: {
            domain?: string;
            name?: string;
            summary?: string;
            /** @description Values by dotted key. Null removes the key. */
            set?: {
                [key: string]: string | null;
            };
            append_note?: string;
        };
        ContextProfilePatched: {
            id: string;
            updated_keys: string[];
        };
        ContextVariable: {
            key: string;
            /** @description Always a string; `type` defines how to interpret it. */
            value: string;
            /** @enum {string} */
            type: "string" | "number" | "boolean" | "date";
            /**
             * Format: date-time
             * @example 2026-03-02T09:00:00.000Z
             */
            updated_at: string;
        };
        ContextVariableDeleted: {
            key: string;
            /** @constant */
            deleted: true;
        };
        ContextVariableList: {
            data: components["schemas"]["ContextVariable"][];
        };
        ContextVariablePut: {
            value: string;
            /**
             * @description If absent, the type stays the same; new variables get `string`.
             * @enum {string}
             */
            type?: "string" | "number" | "boolean" | "date";
        };
        Draft: {
            /** @description `drf_…` */
            id: string;
            account_id: string;
            /** @description The thread that the draft replies to. */
            thread_id: string | null;
            from: string;
            to: string[];
            cc: string[];
            bcc: string[];
            subject: string;
            body: string;
            attachments: components["schemas"]["DraftAttachment"][];
            /** @constant */
            status: "draft";
            /** @description The pending send (`snd_…`), either scheduled or sending. The draft cannot be changed until that send has ended. Null if no send is pending. */
            send_id: string | null;
            /**
             * Format: date-time
             * @example 2026-03-02T09:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @example 2026-03-02T09:00:00.000Z
             */
            updated_at: string;
            /** @description AI credits spent on writing the draft; 0 without AI. */
            credits_spent: number;
            ai?: components["schemas"]["DraftAiNote"];
        };
        DraftAiNote: {
            /**
             * @description The built-in engine, a language model on this machine, or one on another machine.
             * @enum {string}
             */
            engine: "extractive" | "local" | "hosted";
            model: string | null;
            /** @description Why the configured language model did not write the draft. */
            fallback: string | null;
            /** @description True if the draft contains something that none of its sources contains. Review it before you send it. */
            held_for_review: boolean;
            review_reasons: string[];
            /** @description What the built-in engine could not write, and why. The body has each as a gap in square brackets. Fill it in before you send the draft. Empty if the draft is complete. */
            gaps: string[];
            /** @description Each sentence and what it is based on. */
            provenance: {
                text: string;
                /** @description What the sentence is based on. */
                source: {
                    /**
                     * @description `voice`: your usual way of writing. `instructions`: your instructions. `message`: a message of the thread. `sent`: a sentence from mail you sent earlier. `phrase`: a stock phrase. `model`: the language model's own wording.
                     * @enum {string}
                     */
                    from: "voice" | "instructions" | "message" | "sent" | "phrase" | "model";
                    /** @description The words it is based on. */
                    quote?: string;
                    /** @description The message that contains these words. */
                    message_id?: string;
                    /** @description Start of these words in its `body_text`, in UTF-16 code units. */
                    start?: number;
                    end?: number;
                };
            }[];
        };
        DraftAttachment: {
            /** @description `att_…` */
            id: string;
            name: string;
            /** @description Bytes. */
            size: number;
            mime: string;
            /** @description Set for an inline image that the HTML references as `cid:`. */
            content_id: string | null;
        };
        DraftAttachmentDeleted: {
            id: string;
            /** @constant */
            deleted: true;
        };
        DraftDeleted: {
            id: string;
            /** @constant */
            deleted: true;
        };
        DraftEdit: {
            account_id?: string;
            /** @description One of the mailbox's own addresses, optionally with a name: `Ada <ada@example.org>`. */
            from?: string;
            /** @description Email addresses, optionally with names. A reply inherits them. */
            to?: string[];
            /** @description Same form as `to`. To reply to all, list the other recipients here. */
            cc?: string[];
            /** @description Same form as `to`. Hidden from the other recipients. */
            bcc?: string[];
            subject?: string;
            /** @description Plain text or simple HTML. */
            body?: string;
        };
        DraftItem: {
            /** @description `drf_…` */
            id: string;
            to: string[];
            subject: string;
            /** @constant */
            status: "draft";
            /** @description The pending send (`snd_…`), either scheduled or sending. The draft cannot be changed until that send has ended. Null if no send is pending. */
            send_id: string | null;
            /**
             * Format: date-time
             * @example 2026-03-02T09:00:00.000Z
             */
            updated_at: string;
            account_id: string;
            /** @description The thread that the draft replies to. */
            thread_id: string | null;
        };
        DraftList: {
            data: components["schemas"]["DraftItem"][];
            /** @description Whether another page follows. */
            has_more: boolean;
            /** @description Opaque. Pass it as `cursor` to get the next page. Absent on the last page. */
            next_cursor?: string;
        };
        DraftSend: {
            /** @description Must be true. */
            confirm: boolean;
            /**
             * @description Length of the undo window in seconds; fractions are allowed. 0 dispatches at once.
             * @default 10
             */
            undo_window_s: number;
            /**
             * Format: date-time
             * @description Dispatch at this time instead of now, at most one year ahead. The send can be canceled until then.
             * @example 2026-03-02T09:00:00.000Z
             */
            scheduled_at?: string;
        };
        DraftUpdated: {
            id: string;
            /** @constant */
            status: "draft";
            /** @description The pending send (`snd_…`), either scheduled or sending. The draft cannot be changed until that send has ended. Null if no send is pending. */
            send_id: string | null;
            /**
             * Format: date-time
             * @example 2026-03-02T09:00:00.000Z
             */
            updated_at: string;
        };
        EngineStatus: {
            /**
             * @description Which engine wrote it. `extractive`: the built-in engine. `local`: a language model on this machine. `hosted`: a language model on another machine.
             * @enum {string}
             */
            engine: "extractive" | "local" | "hosted";
            model: string | null;
            /** @description Host and port that mail text is sent to. */
            host: string | null;
            /** @description Why the configured model is not in use. */
            problem: string | null;
            /** @description Model servers found on this machine. A server is used only if it is configured. */
            found: {
                /** @enum {string} */
                kind: "ollama" | "llama.cpp" | "lm_studio" | "other";
                base_url: string;
                models: string[];
            }[];
        };
        Event: {
            /**
             * @description The same in every delivery of this event. Use it to recognize events that you have already processed.
             * @example ntf_01jz4t9h2m8q5r7v3w6x0y1z2a
             */
            id: string;
            /** @enum {string} */
            event: "message.received" | "thread.updated" | "send.completed" | "send.failed" | "send.bounced" | "draft.created" | "agent.action" | "brief.ready" | "approval.requested";
            /**
             * Format: date-time
             * @example 2026-03-02T09:00:00.000Z
             */
            created_at: string;
            /** @description The fields depend on the event. */
            data: {
                [key: string]: unknown;
            };
        };
        EventList: {
            data: components["schemas"]["Event"][];
            /** @description Whether more events are available now. */
            has_more: boolean;
            /** @description Equal to `cursor` if more events are available. */
            next_cursor?: string;
            /** @description Where this page ends. Pass it as `after` to continue. Always present, so that a poller can resume later. */
            cursor: string;
        };
        Extraction: {
            thread_id: string;
            commitments: {
                message_id: string;
                thread_id: string;
                /** @description Exact words from the message's `body_text`. */
                quote: string;
                /** @description Start of the quote in `body_text`, in UTF-16 code units. */
                start: number;
                /** @description End of the quote, exclusive. */
                end: number;
                /** @enum {string} */
                by: "me" | "them";
                /**
                 * Format: date
                 * @example 2026-03-02
                 */
                due: string | null;
                /** @description True if a later message by the same sender appears to fulfill the commitment. */
                kept: boolean;
                /**
                 * Format: date-time
                 * @example 2026-03-02T09:00:00.000Z
                 */
                said_at: string;
            }[];
            dates: {
                message_id: string;
                thread_id: string;
                /** @description Exact words from the message's `body_text`. */
                quote: string;
                /** @description Start of the quote in `body_text`, in UTF-16 code units. */
                start: number;
                /** @description End of the quote, exclusive. */
                end: number;
                /**
                 * Format: date
                 * @example 2026-03-02
                 */
                date: string;
            }[];
            asks: {
                message_id: string;
                thread_id: string;
                /** @description Exact words from the message's `body_text`. */
                quote: string;
                /** @description Start of the quote in `body_text`, in UTF-16 code units. */
                start: number;
                /** @description End of the quote, exclusive. */
                end: number;
                /** @enum {string} */
                kind: "question" | "request";
                from: {
                    name: string;
                    email: string;
                };
                /**
                 * Format: date
                 * @example 2026-03-02
                 */
                due: string | null;
            }[];
            decisions: {
                message_id: string;
                thread_id: string;
                /** @description Exact words from the message's `body_text`. */
                quote: string;
                /** @description Start of the quote in `body_text`, in UTF-16 code units. */
                start: number;
                /** @description End of the quote, exclusive. */
                end: number;
            }[];
            amounts: {
                message_id: string;
                thread_id: string;
                /** @description Exact words from the message's `body_text`. */
                quote: string;
                /** @description Start of the quote in `body_text`, in UTF-16 code units. */
                start: number;
                /** @description End of the quote, exclusive. */
                end: number;
                /** @description ISO 4217 code, if the text states a currency. */
                currency: string;
                value: number;
            }[];
            /** @description AI credits spent; 0 if there is no result. */
            credits_spent: number;
            /**
             * @description Always the built-in engine, so the same mail always gives the same result.
             * @constant
             */
            engine: "extractive";
        };
        Folder: {
            /** @description `fld_…` */
            id: string;
            account_id: string;
            /** @description Full name on the mail server, such as `Archive/2026`. */
            path: string;
            /**
             * @description Purpose of the folder. `all` is Gmail's All Mail, and `other` a folder of your own. On Gmail, the inbox and snoozed mail are views of All Mail, so their messages are counted in both.
             * @enum {string}
             */
            role: "inbox" | "sent" | "drafts" | "trash" | "spam" | "archive" | "snoozed" | "all" | "other";
            /** @description Messages stored here that the folder has on the mail server. A message that you moved counts for its old folder until the move is mirrored. */
            message_count: number;
            unread_count: number;
            /** @description False until all messages of the folder have been read once. See `sync` in `GET /accounts` for the progress. */
            synced: boolean;
        };
        FolderList: {
            data: components["schemas"]["Folder"][];
        };
        Label: {
            /** @description `lbl_…`. Stays the same when the label is renamed. */
            id: string;
            name: string;
            /** @description Threads with this label, in any state. */
            thread_count: number;
            /** @description Unread threads with this label. */
            unread_count: number;
            /** @description Mailboxes with such threads. */
            account_ids: string[];
            /** @description True while the label is being renamed: some threads still have the old name. */
            changing: boolean;
        };
        LabelCreate: {
            /** @description 1–200 characters. White space around it is removed. Names are compared exactly: `Work` and `work` are two labels. */
            name: string;
        };
        LabelDeleted: {
            id: string;
            /** @constant */
            deleted: true;
        };
        LabelList: {
            data: components["schemas"]["Label"][];
        };
        LabelPatch: {
            /** @description 1–200 characters. White space around it is removed. Names are compared exactly: `Work` and `work` are two labels. */
            name: string;
        };
        Message: {
            /** @description `msg_…` */
            id: string;
            thread_id: string;
            account_id: string;
            from: {
                name: string;
                email: string;
            };
            to: {
                name: string;
                email: string;
            }[];
            cc: {
                name: string;
                email: string;
            }[];
            /** @description What the receiving mail server reported about the sender (RFC 8601). See docs/mail.md. */
            authentication: {
                /**
                 * @description `pass`: DMARC passed, or an aligned SPF or DKIM result did. `fail`: DMARC failed. `none`: the server found nothing that confirms the domain. `unknown`: no trusted header, as in drafts, sent, imported and older mail.
                 * @enum {string}
                 */
                result: "pass" | "fail" | "none" | "unknown";
                /** @description Domain of the From address that was checked. */
                from_domain: string | null;
                /** @enum {string|null} */
                dmarc: "pass" | "fail" | "softfail" | "neutral" | "none" | "policy" | "temperror" | "permerror" | null;
                /** @enum {string|null} */
                spf: "pass" | "fail" | "softfail" | "neutral" | "none" | "policy" | "temperror" | "permerror" | null;
                /** @enum {string|null} */
                dkim: "pass" | "fail" | "softfail" | "neutral" | "none" | "policy" | "temperror" | "permerror" | null;
            };
            subject: string;
            /**
             * Format: date-time
             * @description The Date header, or the time of receipt if the header is absent or implausible.
             * @example 2026-03-02T09:00:00.000Z
             */
            date: string;
            /** @description Plain text without the quoted reply history. */
            body_text: string;
            /** @description Only the text that the sender wrote in this message, without reply history, signature or forwarded mail. */
            new_text: string;
            /** @description True if some text or parts are omitted because the message is larger or more deeply nested than Postroom stores (`mail.text_part_bytes`, `mail.text_read_bytes`). `GET /messages/{id}/raw` returns the whole message. Absent for messages stored before version 0.2. */
            truncated?: boolean;
            headers: {
                /** @description The Message-ID header exactly as received; empty if there is none. */
                message_id: string;
            };
            labels: string[];
            unread: boolean;
            starred: boolean;
            draft: boolean;
            /** @enum {string} */
            category: "primary" | "social" | "promotions" | "updates";
            /** @description The rule that chose the category. docs/categories.md explains the values. */
            category_reason: string;
            attachments: {
                /** @description `att_…` */
                id: string;
                name: string;
                /** @description Bytes. */
                size: number;
                /** @description True while `size` is an estimate, because the attachment has not been read yet. Absent if `size` is exact. */
                size_estimated?: boolean;
                mime: string;
                /** @description True if the attachment is part of the message's HTML, such as an inline image. */
                inline: boolean;
            }[];
            /** @description Set if the sender offers one-click unsubscribe (RFC 8058). */
            unsubscribe: {
                /** @description Host of the sender's server that receives the request. */
                host: string;
                /**
                 * Format: date-time
                 * @description When the server accepted the request.
                 * @example 2026-03-02T09:00:00.000Z
                 */
                unsubscribed_at: string | null;
            } | null;
        };
        MessageSend: {
            /** @description The sending mailbox. If absent, the primary mailbox. */
            account_id?: string;
            /** @description One of the mailbox's own addresses. */
            from?: string;
            /** @description Email addresses. Required unless `reply_to_thread_id` supplies them. */
            to?: string[];
            cc?: string[];
            bcc?: string[];
            subject?: string;
            /** @description Plain text or simple HTML. */
            body?: string;
            /** @description Replies to the newest message of this thread. Recipients and subject are inherited. */
            reply_to_thread_id?: string;
            /** @description Optional; must be true if present. */
            confirm?: boolean;
            /**
             * @description Length of the undo window in seconds; fractions are allowed. 0 dispatches at once.
             * @default 10
             */
            undo_window_s: number;
            /**
             * Format: date-time
             * @description Dispatch at this time instead of now, at most one year ahead. The send can be canceled until then.
             * @example 2026-03-02T09:00:00.000Z
             */
            scheduled_at?: string;
        };
        ModelCall: {
            /**
             * Format: date-time
             * @example 2026-03-02T09:00:00.000Z
             */
            at: string;
            purpose: string;
            host: string;
            model: string;
            bytes_out: number;
            bytes_in: number | null;
            /** @description Messages whose text was part of the request. */
            message_ids: string[];
            /** @description `ok`, the kind of failure, or null if the call was interrupted. */
            result: string | null;
        };
        ModelCallList: {
            data: components["schemas"]["ModelCall"][];
            /** @description Whether another page follows. */
            has_more: boolean;
            /** @description Opaque. Pass it as `cursor` to get the next page. Absent on the last page. */
            next_cursor?: string;
        };
        NewDraft: {
            /** @description The sending mailbox. If absent, the primary mailbox. */
            account_id?: string;
            /** @description Replies to the newest message of this thread. Recipients and subject are inherited. */
            reply_to_thread_id?: string;
            /** @description One of the mailbox's own addresses, optionally with a name: `Ada <ada@example.org>`. */
            from?: string;
            /** @description Email addresses, optionally with names. A reply inherits them. */
            to?: string[];
            /** @description Same form as `to`. To reply to all, list the other recipients here. */
            cc?: string[];
            /** @description Same form as `to`. Hidden from the other recipients. */
            bcc?: string[];
            subject?: string;
            /** @description Plain text or simple HTML. */
            body?: string;
            /**
             * @description Have the body written by AI; `body` is then ignored.
             * @default false
             */
            use_ai: boolean;
            /** @description What the AI draft should say. Used with `use_ai`. */
            instructions?: string;
        };
        NewWebhookEndpoint: {
            /** @description An HTTPS URL. The host must have a public address, unless the owner of the machine lists it under `webhooks.allow`; then `http://` is accepted as well. Endpoints of the owner can also be programs on the same machine, such as `http://127.0.0.1:5678/`. */
            url: string;
            /** @description Names of the subscribed events. `webhook.test` needs no subscription. */
            events: ("message.received" | "thread.updated" | "send.completed" | "send.failed" | "send.bounced" | "draft.created" | "agent.action" | "brief.ready" | "approval.requested")[];
        };
        Question: {
            question: string;
        };
        Rule: {
            /** @description `rul_…` */
            id: string;
            /**
             * @description `inbox` sorts mail. `agent` defines what the agent may do with mail from matching senders.
             * @enum {string}
             */
            kind: "inbox" | "agent";
            name: string | null;
            /** @description False: the rule is paused. A paused rule does not act on mail. */
            enabled: boolean;
            /** @description All conditions must match. */
            conditions: components["schemas"]["RuleCondition"][];
            actions: components["schemas"]["RuleAction"][];
            /** @description The lowest number runs first. */
            priority: number;
            /** @description The only mailbox that the rule applies to; null if it applies to all mailboxes. */
            account_id: string | null;
            /** @description A run started with `POST /rules/{id}/apply` is in progress. */
            applying: boolean;
        };
        RuleAction: {
            /** @enum {string} */
            type: "addLabel" | "removeLabel" | "setCategory" | "archive" | "markRead" | "star" | "trash" | "markSpam" | "setMode" | "allow";
            /** @description A label, a category, a mode or a permission; empty if the action takes no value. */
            value: string;
        };
        RuleApply: {
            /** @description Only mail of the last `days` days. If absent, all mail. */
            days?: number;
        };
        RuleCondition: {
            /** @enum {string} */
            field: "from" | "from_domain" | "to" | "cc" | "subject" | "body" | "list_id" | "has_attachment" | "account_id" | "category";
            /**
             * @description `has_attachment`, `account_id` and `category` take `equals`, `not_equals` only.
             * @enum {string}
             */
            op: "equals" | "not_equals" | "contains" | "not_contains" | "starts_with" | "ends_with" | "exists";
            /** @description Compared case-insensitively. With `exists`: "true" or "false". */
            value: string;
        };
        RuleCreate: {
            /**
             * @default inbox
             * @enum {string}
             */
            kind: "inbox" | "agent";
            /** @description All conditions must match. */
            conditions: {
                /** @enum {string} */
                field: "from" | "from_domain" | "to" | "cc" | "subject" | "body" | "list_id" | "has_attachment" | "account_id" | "category";
                /** @enum {string} */
                op: "equals" | "not_equals" | "contains" | "not_contains" | "starts_with" | "ends_with" | "exists";
                /** @description Optional with `exists`. */
                value?: string;
            }[];
            actions: {
                /**
                 * @description `setMode` and `allow` are for rules of kind `agent`, all other actions for `inbox`.
                 * @enum {string}
                 */
                type: "addLabel" | "removeLabel" | "setCategory" | "archive" | "markRead" | "star" | "trash" | "markSpam" | "setMode" | "allow";
                /** @description Absent if the action takes no value. */
                value?: string;
            }[];
            /** Format: name */
            name?: string | null;
            /** @description False pauses the rule. */
            enabled?: boolean;
            /** @description Limits the rule to this mailbox. A key that is bound to one mailbox limits its rules to that mailbox. */
            account_id?: string | null;
        };
        RuleCreated: {
            id: string;
            /** @enum {string} */
            kind: "inbox" | "agent";
            priority: number;
        };
        RuleDeleted: {
            id: string;
            /** @constant */
            deleted: true;
        };
        RuleList: {
            data: components["schemas"]["Rule"][];
        };
        RuleOrder: {
            /** @description The ids of all rules that `GET /rules` returns, in the new order. */
            ids: string[];
        };
        RulePatch: {
            /** Format: name */
            name?: string | null;
            /** @description False pauses the rule. */
            enabled?: boolean;
            /** @description All conditions must match. */
            conditions?: {
                /** @enum {string} */
                field: "from" | "from_domain" | "to" | "cc" | "subject" | "body" | "list_id" | "has_attachment" | "account_id" | "category";
                /** @enum {string} */
                op: "equals" | "not_equals" | "contains" | "not_contains" | "starts_with" | "ends_with" | "exists";
                /** @description Optional with `exists`. */
                value?: string;
            }[];
            actions?: {
                /**
                 * @description `setMode` and `allow` are for rules of kind `agent`, all other actions for `inbox`.
                 * @enum {string}
                 */
                type: "addLabel" | "removeLabel" | "setCategory" | "archive" | "markRead" | "star" | "trash" | "markSpam" | "setMode" | "allow";
                /** @description Absent if the action takes no value. */
                value?: string;
            }[];
        };
        RulePreview: {
            /** @description Messages checked. */
            scanned: number;
            /** @description Messages that match all conditions. */
            matched: number;
            /** @description Matching messages that the rule would change. */
            changed: number;
            /** @description How many messages each action would change. */
            actions: {
                [key: string]: number;
            };
            examples: {
                message_id: string;
                thread_id: string;
                from: string;
                subject: string;
                /**
                 * Format: date-time
                 * @example 2026-03-02T09:00:00.000Z
                 */
                date: string;
                /** @description Empty if the rule would change nothing. */
                actions: components["schemas"]["RuleAction"][];
            }[];
        };
        RulePreviewRequest: {
            /**
             * @default inbox
             * @enum {string}
             */
            kind: "inbox" | "agent";
            /** @description All conditions must match. */
            conditions: {
                /** @enum {string} */
                field: "from" | "from_domain" | "to" | "cc" | "subject" | "body" | "list_id" | "has_attachment" | "account_id" | "category";
                /** @enum {string} */
                op: "equals" | "not_equals" | "contains" | "not_contains" | "starts_with" | "ends_with" | "exists";
                /** @description Optional with `exists`. */
                value?: string;
            }[];
            actions: {
                /**
                 * @description `setMode` and `allow` are for rules of kind `agent`, all other actions for `inbox`.
                 * @enum {string}
                 */
                type: "addLabel" | "removeLabel" | "setCategory" | "archive" | "markRead" | "star" | "trash" | "markSpam" | "setMode" | "allow";
                /** @description Absent if the action takes no value. */
                value?: string;
            }[];
            /**
             * @description How many days back to look, by time of receipt.
             * @default 30
             */
            days: number;
            /**
             * @description How many examples to return.
             * @default 10
             */
            examples: number;
        };
        RuleProgress: {
            /** @description Id of the rule. */
            id: string;
            /**
             * @description `stopped`: the rule was paused before all mail was checked.
             * @enum {string}
             */
            state: "running" | "done" | "stopped";
            /** @description Messages checked so far. */
            done: number;
            total: number;
            matched: number;
            changed: number;
            /**
             * Format: date-time
             * @example 2026-03-02T09:00:00.000Z
             */
            started_at: string;
            /**
             * Format: date-time
             * @example 2026-03-02T09:00:00.000Z
             */
            finished_at: string | null;
        };
        SearchReply: {
            data: components["schemas"]["SearchResult"][];
            /** @description Whether another page follows. */
            has_more: boolean;
            /** @description Opaque. Pass it as `cursor` with the same body. Absent on the last page. */
            next_cursor?: string;
            /**
             * @description The mode that was used.
             * @enum {string}
             */
            mode: "keyword" | "semantic" | "hybrid";
            /** @description True if some or all mail is not indexed yet, so results can be missing. Semantic and hybrid mode depend on the semantic index, every mode on the full-text index. */
            partial: boolean;
            /** @description Messages in the semantic index; 0 in keyword mode. */
            indexed: number;
            /** @description Messages waiting for the semantic index; 0 in keyword mode. */
            waiting: number;
            /** @description Messages waiting for the full-text index. No mode finds them by their words yet. 0 except after an upgrade. */
            waiting_full_text: number;
            credits_spent: number;
            /** @description Query words that occur in no message, with the spelling that was searched for instead. Usually empty. */
            corrections: {
                /** @description The word of the query, in lower case. */
                from: string;
                /** @description The word that was searched for instead. */
                to: string;
            }[];
        };
        SearchRequest: {
            /** @description Words and operators. See the search guide. */
            query: string;
            /**
             * @description `keyword` matches words, `semantic` matches meaning, and `hybrid` (the default) combines both. If `mode` is absent and no credits are left, `keyword` is used.
             * @enum {string}
             */
            mode?: "keyword" | "semantic" | "hybrid";
            /**
             * @description Page size.
             * @default 25
             */
            limit: number;
            /** @description `next_cursor` of the previous page. */
            cursor?: string;
            /** @description Only this mailbox; an unknown id is 404 `not_found`. */
            account_id?: string;
        };
        SearchResult: {
            /** @description `thr_…` */
            thread_id: string;
            /** @description `msg_…`, the best match in its thread. */
            message_id: string;
            account_id: string;
            subject: string;
            from: {
                name: string;
                email: string;
            };
            /**
             * Format: date-time
             * @description The Date header, or the time of receipt if the header is absent or implausible.
             * @example 2026-03-02T09:00:00.000Z
             */
            date: string;
            /** @description HTML: matching words between `<mark>` and `</mark>`, everything else escaped. */
            snippet: string;
            /** @description 1 is best. Scores are comparable only within one search. */
            score: number;
            matched_by: ("keyword" | "semantic")[];
            /** @description Further matching messages in the thread. */
            other_matches: number;
        };
        Send: {
            /** @description `snd_…` */
            send_id: string;
            /** @enum {string} */
            status: "scheduled" | "sending" | "sent" | "failed" | "undone";
            /**
             * Format: date-time
             * @description The send can be canceled until this time.
             * @example 2026-03-02T09:00:00.000Z
             */
            undo_until: string;
            account_id: string;
            /** @description The draft that is being sent, or that was restored after a canceled or failed send. Null after a successful send. */
            draft_id: string | null;
            /** @description Thread of the sent message. */
            thread_id: string | null;
            /** @description Id of the sent message. */
            message_id: string | null;
            from: string;
            to: string[];
            cc: string[];
            bcc: string[];
            subject: string;
            /**
             * Format: date-time
             * @example 2026-03-02T09:00:00.000Z
             */
            scheduled_at: string | null;
            /**
             * Format: date-time
             * @example 2026-03-02T09:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When the message was sent, or the send failed or was canceled.
             * @example 2026-03-02T09:00:00.000Z
             */
            finished_at: string | null;
            attempts: number;
            /**
             * Format: date-time
             * @description Time of the next attempt after a temporary failure.
             * @example 2026-03-02T09:00:00.000Z
             */
            next_attempt_at: string | null;
            /**
             * @description Why the send failed. `delivery_unknown`: the connection ended before the server confirmed the message, so it may have been delivered.
             * @enum {string|null}
             */
            reason: "provider_rejected" | "auth_failed" | "sender_rejected" | "recipient_rejected" | "message_too_large" | "smtputf8_unsupported" | "sending_limit" | "tls_failed" | "unreachable" | "delivery_unknown" | "compose_failed" | null;
            /** @description The mail server's response. */
            detail: string | null;
            /** @description Recipients that the server rejected while it accepted the message for the others. */
            rejected: {
                recipient: string;
                detail: string;
            }[];
            bounced: {
                /**
                 * Format: date-time
                 * @example 2026-03-02T09:00:00.000Z
                 */
                at: string;
                recipients: {
                    recipient: string;
                    status: string | null;
                    detail: string;
                }[];
            } | null;
        };
        SendCancelled: {
            send_id: string;
            /** @constant */
            status: "undone";
            draft_id: string | null;
        };
        SendList: {
            data: components["schemas"]["Send"][];
            /** @description Whether another page follows. */
            has_more: boolean;
            /** @description Opaque. Pass it as `cursor` to get the next page. Absent on the last page. */
            next_cursor?: string;
        };
        SendScheduled: {
            /** @description `snd_…` */
            send_id: string;
            /** @enum {string} */
            status: "scheduled" | "sending" | "sent" | "failed" | "undone";
            /**
             * Format: date-time
             * @description The send can be canceled until this time.
             * @example 2026-03-02T09:00:00.000Z
             */
            undo_until: string;
        };
        SuggestReply: {
            /** @description Best first. */
            data: components["schemas"]["Suggestion"][];
        };
        Suggestion: {
            /**
             * @description What it names. `operator` is an operator or one of its values; `folder` is a place (`in:inbox`).
             * @enum {string}
             */
            kind: "contact" | "label" | "operator" | "subject" | "folder";
            /** @description What to show, such as the name of a contact. */
            text: string;
            /** @description What to put in place of the last token: of everything after the last space or opening bracket that is not in quotation marks. */
            insert: string;
            /** @description What to show beside it: the address of a contact, the sender of a subject. Can be empty. */
            detail: string;
        };
        Summary: {
            thread_id: string;
            summary: string;
            points: {
                text: string;
                citation: {
                    message_id: string;
                    thread_id: string;
                    /** @description Exact words from the message's `body_text`. */
                    quote: string;
                    /** @description Start of the quote in `body_text`, in UTF-16 code units. */
                    start: number;
                    /** @description End of the quote, exclusive. */
                    end: number;
                };
            }[];
            /** @description Why the configured language model did not summarize; null if it did, or if there is none. */
            fallback: string | null;
            /** @description AI credits spent; 0 if there is no result. */
            credits_spent: number;
            /**
             * @description Which engine wrote it. `extractive`: the built-in engine. `local`: a language model on this machine. `hosted`: a language model on another machine.
             * @enum {string}
             */
            engine: "extractive" | "local" | "hosted";
        };
        Thread: {
            /** @description `thr_…`. If the requested thread was merged into another one, the id of the remaining thread. */
            id: string;
            account_id: string;
            subject: string;
            /** @description Addresses in From, To and Cc, without duplicates. */
            participants: string[];
            labels: string[];
            /** @enum {string} */
            state: "inbox" | "archived" | "snoozed" | "trash" | "spam" | "sent";
            unread: boolean;
            starred: boolean;
            /** @description True if any message of the thread is marked as important on the mail server, with the keyword `$Important` or Gmail's marker. Read-only. */
            important: boolean;
            /**
             * Format: date-time
             * @description When a snoozed thread returns to the inbox.
             * @example 2026-03-02T09:00:00.000Z
             */
            snooze_until: string | null;
            /** @description Oldest first. */
            messages: {
                id: string;
                from: {
                    /** @description Display name; empty if the mail has none. */
                    name: string;
                    email: string;
                };
                /**
                 * Format: date-time
                 * @example 2026-03-02T09:00:00.000Z
                 */
                date: string;
                snippet: string;
            }[];
        };
        ThreadBatch: {
            /** @description Applied in this order. A thread can occur several times. */
            changes: {
                /** @description `thr_…` */
                id: string;
                /** @description True marks all messages as read. False marks the newest received message as unread. */
                read?: boolean;
                /** @description True stars the newest received message. False removes the star from all messages. */
                starred?: boolean;
                /**
                 * @description Moves the received messages. Sent messages are not moved. A thread that has only sent mail also takes this state.
                 * @enum {string}
                 */
                state?: "inbox" | "archived" | "trash" | "spam";
                /** @description Names of 1–200 characters, at most 50. New labels are created on first use. */
                add_labels?: string[];
                /** @description Names of labels. Labels that the thread does not have are ignored. */
                remove_labels?: string[];
                /**
                 * Format: date-time
                 * @description A future time; cannot be combined with `state`. Null unsnoozes the thread and can be combined with any field.
                 * @example 2026-03-02T09:00:00.000Z
                 */
                snooze_until?: string | null;
            }[];
        };
        ThreadBatchReply: {
            /** @description One outcome for each change, in the order of the request. */
            data: ({
                /** @constant */
                ok: true;
                id: string;
                /** @enum {string} */
                state: "inbox" | "archived" | "snoozed" | "trash" | "spam" | "sent";
                labels: string[];
                unread: boolean;
            } | {
                /** @constant */
                ok: false;
                /** @description As in the request. */
                id: string;
                error: {
                    /** @enum {string} */
                    code: "invalid_params" | "not_found" | "label_busy";
                    message: string;
                    /** @description The field of the change, such as `add_labels[0]`. */
                    param?: string;
                };
            })[];
        };
        ThreadChoice: {
            thread_id: string;
        };
        ThreadItem: {
            /** @description `thr_…` */
            id: string;
            account_id: string;
            subject: string;
            from: {
                /** @description Display name; empty if the mail has none. */
                name: string;
                email: string;
            };
            /** @description Start of the newest message, on one line. */
            snippet: string;
            labels: string[];
            /** @description True if any message of the thread is unread. */
            unread: boolean;
            message_count: number;
            /**
             * Format: date-time
             * @description When the newest message was received. The list is sorted by this time.
             * @example 2026-03-02T09:00:00.000Z
             */
            updated_at: string;
            /** @enum {string} */
            state: "inbox" | "archived" | "snoozed" | "trash" | "spam" | "sent";
            starred: boolean;
            /** @description True if any message of the thread is marked as important on the mail server, with the keyword `$Important` or Gmail's marker. Read-only. */
            important: boolean;
            has_attachment: boolean;
            /** @enum {string} */
            category: "primary" | "social" | "promotions" | "updates";
        };
        ThreadList: {
            data: components["schemas"]["ThreadItem"][];
            /** @description Whether another page follows. */
            has_more: boolean;
            /** @description Opaque. Pass it as `cursor` to get the next page. Absent on the last page. */
            next_cursor?: string;
        };
        ThreadMessage: {
            /** @description `msg_…` */
            id: string;
            from: {
                /** @description Display name; empty if the mail has none. */
                name: string;
                email: string;
            };
            to: {
                /** @description Display name; empty if the mail has none. */
                name: string;
                email: string;
            }[];
            cc: {
                /** @description Display name; empty if the mail has none. */
                name: string;
                email: string;
            }[];
            /** @description What the receiving mail server reported about the sender (RFC 8601). See docs/mail.md. */
            authentication: {
                /**
                 * @description `pass`: DMARC passed, or an aligned SPF or DKIM result did. `fail`: DMARC failed. `none`: the server found nothing that confirms the domain. `unknown`: no trusted header, as in drafts, sent, imported and older mail.
                 * @enum {string}
                 */
                result: "pass" | "fail" | "none" | "unknown";
                /** @description Domain of the From address that was checked. */
                from_domain: string | null;
                /** @enum {string|null} */
                dmarc: "pass" | "fail" | "softfail" | "neutral" | "none" | "policy" | "temperror" | "permerror" | null;
                /** @enum {string|null} */
                spf: "pass" | "fail" | "softfail" | "neutral" | "none" | "policy" | "temperror" | "permerror" | null;
                /** @enum {string|null} */
                dkim: "pass" | "fail" | "softfail" | "neutral" | "none" | "policy" | "temperror" | "permerror" | null;
            };
            /**
             * Format: date-time
             * @description The Date header, or the time of receipt if the header is absent or implausible.
             * @example 2026-03-02T09:00:00.000Z
             */
            date: string;
            /** @description Plain text, without the quoted reply history unless `include_quoted` is true. */
            body_text: string;
            /** @description Only the text that the sender wrote in this message, without reply history, signature or forwarded mail. */
            new_text: string;
            /** @description True if some text or parts are omitted because the message is larger or more deeply nested than Postroom stores (`mail.text_part_bytes`, `mail.text_read_bytes`). `GET /messages/{id}/raw` returns the whole message. Absent for messages stored before version 0.2. */
            truncated?: boolean;
            attachments: {
                /** @description `att_…` */
                id: string;
                name: string;
                /** @description Bytes. */
                size: number;
                /** @description True while `size` is an estimate, because the attachment has not been read yet. Absent if `size` is exact. */
                size_estimated?: boolean;
                mime: string;
                /** @description True if the attachment is part of the message's HTML, such as an inline image. */
                inline: boolean;
            }[];
            unread: boolean;
            /** @description True for an unfinished message in the mailbox's Drafts folder. */
            draft: boolean;
        };
        ThreadMessageList: {
            data: components["schemas"]["ThreadMessage"][];
            /** @description Whether another page follows. */
            has_more: boolean;
            /** @description Opaque. Pass it as `cursor` to get the next page. Absent on the last page. */
            next_cursor?: string;
        };
        ThreadPatch: {
            /** @description True marks all messages as read. False marks the newest received message as unread. */
            read?: boolean;
            /** @description True stars the newest received message. False removes the star from all messages. */
            starred?: boolean;
            /**
             * @description Moves the received messages. Sent messages are not moved. A thread that has only sent mail also takes this state.
             * @enum {string}
             */
            state?: "inbox" | "archived" | "trash" | "spam";
            /** @description Names of 1–200 characters, at most 50. New labels are created on first use. */
            add_labels?: string[];
            /** @description Names of labels. Labels that the thread does not have are ignored. */
            remove_labels?: string[];
            /**
             * Format: date-time
             * @description A future time; cannot be combined with `state`. Null unsnoozes the thread and can be combined with any field.
             * @example 2026-03-02T09:00:00.000Z
             */
            snooze_until?: string | null;
        };
        ThreadPatched: {
            id: string;
            /** @enum {string} */
            state: "inbox" | "archived" | "snoozed" | "trash" | "spam" | "sent";
            labels: string[];
            unread: boolean;
        };
        UnsubscribeBody: {
            /** @constant */
            confirm: true;
        };
        Unsubscribed: {
            message_id: string;
            /** @description Host of the sender's server that received the request. */
            host: string;
            /**
             * Format: date-time
             * @description When the server accepted the request.
             * @example 2026-03-02T09:00:00.000Z
             */
            unsubscribed_at: string;
        };
        Usage: {
            /** @enum {string} */
            plan: "free" | "pro" | "autopilot" | "team";
            /** @description Requests since the last UTC midnight, including this one. */
            requests: {
                used: number;
                /** @description 1,000,000,000 while the owner has lifted the limits for programs. */
                limit: number;
                /**
                 * Format: date-time
                 * @description When the daily counters reset: the next UTC midnight.
                 * @example 2026-03-02T09:00:00.000Z
                 */
                resets: string;
            };
            /** @description Sends since the last UTC midnight. For a key in its first 24 hours: the key's own sends and their cap. */
            sends: {
                used: number;
                /** @description 1,000,000,000 while the owner has lifted the limits for programs. */
                limit: number;
            };
            /** @description AI credits since the first day of the month, UTC. */
            ai_credits: {
                used: number;
                /** @description 1,000,000,000 while the owner has lifted the limits for programs. */
                limit: number;
                /** @description True if the model is built in, local, or uses your own key. Credits are then counted, but requests are never refused. */
                byok: boolean;
            };
        };
        WebhookAttempt: {
            /** @description 1 for the first attempt. */
            attempt: number;
            /**
             * Format: date-time
             * @example 2026-03-02T09:00:00.000Z
             */
            at: string;
            duration_ms: number;
            /** @description Null if there was no response. */
            response_status: number | null;
            /** @description Why the attempt failed, in words. */
            error: string | null;
        } | null;
        WebhookCreated: {
            data: {
                /** @example whk_01jz4t9h2m8q5r7v3w6x0y1z2a */
                id: string;
                /** @description An HTTPS URL. The host must have a public address, unless the owner of the machine lists it under `webhooks.allow`; then `http://` is accepted as well. Endpoints of the owner can also be programs on the same machine, such as `http://127.0.0.1:5678/`. */
                url: string;
                /** @description Names of the subscribed events. `webhook.test` needs no subscription. */
                events: ("message.received" | "thread.updated" | "send.completed" | "send.failed" | "send.bounced" | "draft.created" | "agent.action" | "brief.ready" | "approval.requested")[];
                /**
                 * @description `disabled`: the endpoint receives nothing until it is set to `active` again. An endpoint is disabled by hand, after three days of continuous failure, or when the receiver answers 410.
                 * @enum {string}
                 */
                status: "active" | "disabled";
                /** @description Failed attempts since the last success. */
                failure_count: number;
                /**
                 * Format: date-time
                 * @example 2026-03-02T09:00:00.000Z
                 */
                last_failure_at: string | null;
                /**
                 * Format: date-time
                 * @example 2026-03-02T09:00:00.000Z
                 */
                disabled_at: string | null;
                /**
                 * Format: date-time
                 * @example 2026-03-02T09:00:00.000Z
                 */
                created_at: string;
                /**
                 * Format: date-time
                 * @example 2026-03-02T09:00:00.000Z
                 */
                updated_at: string;
                /** @description `whsec_` followed by base64. Shown only in this response. */
                secret: string;
            };
        };
        WebhookDelivery: {
            /** @example dlv_01jz4t9h2m8q5r7v3w6x0y1z2b */
            id: string;
            /** @description The event's `id`. Every attempt sends it in the header `webhook-id`. */
            event_id: string;
            /** @example message.received */
            event: string;
            /**
             * @description `failed`: all attempts of the schedule have failed.
             * @enum {string}
             */
            status: "pending" | "delivered" | "failed";
            attempt_count: number;
            last_attempt: components["schemas"]["WebhookAttempt"];
            /**
             * Format: date-time
             * @description Null unless `pending`.
             * @example 2026-03-02T09:00:00.000Z
             */
            next_attempt_at: string | null;
            /**
             * Format: date-time
             * @example 2026-03-02T09:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @example 2026-03-02T09:00:00.000Z
             */
            finished_at: string | null;
        };
        WebhookDeliveryDetail: {
            data: {
                /** @example dlv_01jz4t9h2m8q5r7v3w6x0y1z2b */
                id: string;
                /** @description The event's `id`. Every attempt sends it in the header `webhook-id`. */
                event_id: string;
                /** @example message.received */
                event: string;
                /**
                 * @description `failed`: all attempts of the schedule have failed.
                 * @enum {string}
                 */
                status: "pending" | "delivered" | "failed";
                attempt_count: number;
                last_attempt: components["schemas"]["WebhookAttempt"];
                /**
                 * Format: date-time
                 * @description Null unless `pending`.
                 * @example 2026-03-02T09:00:00.000Z
                 */
                next_attempt_at: string | null;
                /**
                 * Format: date-time
                 * @example 2026-03-02T09:00:00.000Z
                 */
                created_at: string;
                /**
                 * Format: date-time
                 * @example 2026-03-02T09:00:00.000Z
                 */
                finished_at: string | null;
                /** @description Oldest first; at most the newest 50. */
                attempts: {
                    /** @description 1 for the first attempt. */
                    attempt: number;
                    /**
                     * Format: date-time
                     * @example 2026-03-02T09:00:00.000Z
                     */
                    at: string;
                    duration_ms: number;
                    /** @description Null if there was no response. */
                    response_status: number | null;
                    /** @description Why the attempt failed, in words. */
                    error: string | null;
                    response_headers: {
                        [key: string]: string;
                    };
                    /** @description The first 4 KiB of the response body. */
                    response_body: string;
                }[];
            };
        };
        WebhookDeliveryList: {
            data: components["schemas"]["WebhookDelivery"][];
            /** @description Whether another page follows. */
            has_more: boolean;
            /** @description Opaque. Pass it as `cursor` to get the next page. Absent on the last page. */
            next_cursor?: string;
        };
        WebhookDeliveryReply: {
            data: components["schemas"]["WebhookDelivery"];
        };
        WebhookEndpoint: {
            /** @example whk_01jz4t9h2m8q5r7v3w6x0y1z2a */
            id: string;
            /** @description An HTTPS URL. The host must have a public address, unless the owner of the machine lists it under `webhooks.allow`; then `http://` is accepted as well. Endpoints of the owner can also be programs on the same machine, such as `http://127.0.0.1:5678/`. */
            url: string;
            /** @description Names of the subscribed events. `webhook.test` needs no subscription. */
            events: ("message.received" | "thread.updated" | "send.completed" | "send.failed" | "send.bounced" | "draft.created" | "agent.action" | "brief.ready" | "approval.requested")[];
            /**
             * @description `disabled`: the endpoint receives nothing until it is set to `active` again. An endpoint is disabled by hand, after three days of continuous failure, or when the receiver answers 410.
             * @enum {string}
             */
            status: "active" | "disabled";
            /** @description Failed attempts since the last success. */
            failure_count: number;
            /**
             * Format: date-time
             * @example 2026-03-02T09:00:00.000Z
             */
            last_failure_at: string | null;
            /**
             * Format: date-time
             * @example 2026-03-02T09:00:00.000Z
             */
            disabled_at: string | null;
            /**
             * Format: date-time
             * @example 2026-03-02T09:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @example 2026-03-02T09:00:00.000Z
             */
            updated_at: string;
        };
        WebhookList: {
            data: components["schemas"]["WebhookEndpoint"][];
            has_more: boolean;
            /** @description Pass it as `cursor`. Null on the last page. */
            next_cursor: string | null;
        };
        WebhookPatch: {
            /** @description An HTTPS URL. The host must have a public address, unless the owner of the machine lists it under `webhooks.allow`; then `http://` is accepted as well. Endpoints of the owner can also be programs on the same machine, such as `http://127.0.0.1:5678/`. */
            url?: string;
            /** @description Names of the subscribed events. `webhook.test` needs no subscription. */
            events?: ("message.received" | "thread.updated" | "send.completed" | "send.failed" | "send.bounced" | "draft.created" | "agent.action" | "brief.ready" | "approval.requested")[];
            /**
             * @description `active` also clears the failure streak.
             * @enum {string}
             */
            status?: "active" | "disabled";
        };
        WebhookReply: {
            data: components["schemas"]["WebhookEndpoint"];
        };
        WebhookRotated: {
            data: {
                /** @example whk_01jz4t9h2m8q5r7v3w6x0y1z2a */
                id: string;
                /**
                 * @description `disabled`: the endpoint receives nothing until it is set to `active` again. An endpoint is disabled by hand, after three days of continuous failure, or when the receiver answers 410.
                 * @enum {string}
                 */
                status: "active" | "disabled";
                /** @description `whsec_` followed by base64. Shown only in this response. */
                secret: string;
            };
        };
        WebhookUpdated: {
            data: {
                /** @example whk_01jz4t9h2m8q5r7v3w6x0y1z2a */
                id: string;
                /** @description Names of the subscribed events. `webhook.test` needs no subscription. */
                events: ("message.received" | "thread.updated" | "send.completed" | "send.failed" | "send.bounced" | "draft.created" | "agent.action" | "brief.ready" | "approval.requested")[];
                /**
                 * @description `disabled`: the endpoint receives nothing until it is set to `active` again. An endpoint is disabled by hand, after three days of continuous failure, or when the receiver answers 410.
                 * @enum {string}
                 */
                status: "active" | "disabled";
                /** @description Failed attempts since the last success. */
                failure_count: number;
            };
        };
        /** @description The envelope of every error. Match on `code`, never on `message`. */
        Error: {
            error: {
                /** @enum {string} */
                type: "invalid_request_error" | "authentication_error" | "permission_error" | "not_found_error" | "conflict_error" | "rate_limit_error" | "billing_error" | "api_error";
                /** @enum {string} */
                code: "unauthorized" | "forbidden_scope" | "invalid_params" | "not_found" | "rate_limited" | "quota_exceeded" | "insufficient_credits" | "plan_required" | "internal_error" | "undo_window_elapsed" | "method_not_allowed" | "draft_locked" | "label_exists" | "label_busy" | "idempotency_conflict" | "idempotency_in_progress" | "payload_too_large" | "range_not_satisfiable" | "provider_unavailable" | "storage_full" | "server_paused" | "unsubscribe_unavailable" | "unsubscribe_failed";
                /** @description For people. The wording can change. */
                message: string;
                /** @description The failing parameter, header or body field, if the error concerns one. */
                param?: string;
                /** @description Same as the header `X-Request-Id`. */
                request_id: string;
            };
        };
    };
    responses: {
        /** @description `invalid_params`: A parameter, header or body field is missing or invalid. `param` names it. */
        invalid_params: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Unknown-Params": components["headers"]["X-Unknown-Params"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `unauthorized`: The API key is missing, malformed, unknown, expired or revoked, or cannot be used from this address. */
        unauthorized: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `plan_required`: The plan has no API access, or the scope requires a higher plan. */
        plan_required: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Unknown-Params": components["headers"]["X-Unknown-Params"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `forbidden_scope`: The API key lacks the scope that the operation requires. */
        forbidden_scope: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Unknown-Params": components["headers"]["X-Unknown-Params"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `not_found`: The object does not exist or belongs to another user. */
        not_found: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Unknown-Params": components["headers"]["X-Unknown-Params"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description `rate_limited`: The request rate per minute of the API key, the user or the client address is exceeded. Wait as long as `Retry-After` says.
         *
         *     `quota_exceeded`: A daily quota of the plan is used up. Quotas reset at midnight UTC.
         */
        rate_limited_or_quota_exceeded: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Unknown-Params": components["headers"]["X-Unknown-Params"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `internal_error`: The server failed. It is safe to retry once. */
        internal_error: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Unknown-Params": components["headers"]["X-Unknown-Params"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `storage_full`: The server's disk is full. Nothing was changed. */
        storage_full: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Unknown-Params": components["headers"]["X-Unknown-Params"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description `label_busy`: The label is being renamed or deleted. Try again after the seconds in `Retry-After`.
         *
         *     `idempotency_conflict`: The Idempotency-Key was already used with another body, or with another API key or session.
         */
        label_busy_or_idempotency_conflict: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Unknown-Params": components["headers"]["X-Unknown-Params"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `payload_too_large`: The body is too large. The limits are 1 MiB for JSON and 25 MiB for attachments. */
        payload_too_large: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Unknown-Params": components["headers"]["X-Unknown-Params"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `server_paused`: The server accepts no changes now, because another machine may act in its place. Nothing was changed. Try again after the seconds in `Retry-After`. */
        server_paused: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Unknown-Params": components["headers"]["X-Unknown-Params"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description `idempotency_conflict`: The Idempotency-Key was already used with another body, or with another API key or session.
         *
         *     `idempotency_in_progress`: The first request with this Idempotency-Key is still running.
         */
        idempotency_conflict_or_idempotency_in_progress: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Unknown-Params": components["headers"]["X-Unknown-Params"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description `label_exists`: There is already a label with this name.
         *
         *     `label_busy`: The label is being renamed or deleted. Try again after the seconds in `Retry-After`.
         *
         *     `idempotency_conflict`: The Idempotency-Key was already used with another body, or with another API key or session.
         */
        label_exists_or_label_busy_or_idempotency_conflict: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Unknown-Params": components["headers"]["X-Unknown-Params"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description `idempotency_conflict`: The Idempotency-Key was already used with another body, or with another API key or session.
         *
         *     `idempotency_in_progress`: The first request with this Idempotency-Key is still running.
         *
         *     `unsubscribe_unavailable`: The message offers no one-click unsubscribe.
         */
        idempotency_conflict_or_idempotency_in_progress_or_unsubscribe_unavailable: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Unknown-Params": components["headers"]["X-Unknown-Params"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `unsubscribe_failed`: The sender's server could not be reached or rejected the request. Nothing was recorded, so you can try again. */
        unsubscribe_failed: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Unknown-Params": components["headers"]["X-Unknown-Params"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `range_not_satisfiable`: The requested range is outside the content. */
        range_not_satisfiable: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Unknown-Params": components["headers"]["X-Unknown-Params"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `provider_unavailable`: The mail server cannot be reached right now. */
        provider_unavailable: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Unknown-Params": components["headers"]["X-Unknown-Params"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description `insufficient_credits`: The AI credits of the month are used up.
         *
         *     `plan_required`: The plan has no API access, or the scope requires a higher plan.
         */
        insufficient_credits_or_plan_required: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Unknown-Params": components["headers"]["X-Unknown-Params"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description `draft_locked`: The draft is being sent and cannot be changed.
         *
         *     `idempotency_conflict`: The Idempotency-Key was already used with another body, or with another API key or session.
         */
        draft_locked_or_idempotency_conflict: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Unknown-Params": components["headers"]["X-Unknown-Params"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description `draft_locked`: The draft is being sent and cannot be changed.
         *
         *     `idempotency_conflict`: The Idempotency-Key was already used with another body, or with another API key or session.
         *
         *     `idempotency_in_progress`: The first request with this Idempotency-Key is still running.
         */
        draft_locked_or_idempotency_conflict_or_idempotency_in_progress: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Unknown-Params": components["headers"]["X-Unknown-Params"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `idempotency_conflict`: The Idempotency-Key was already used with another body, or with another API key or session. */
        idempotency_conflict: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Unknown-Params": components["headers"]["X-Unknown-Params"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description `undo_window_elapsed`: The message has already been dispatched and stays sent.
         *
         *     `idempotency_conflict`: The Idempotency-Key was already used with another body, or with another API key or session.
         */
        undo_window_elapsed_or_idempotency_conflict: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Unknown-Params": components["headers"]["X-Unknown-Params"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `rate_limited`: The request rate per minute of the API key, the user or the client address is exceeded. Wait as long as `Retry-After` says. */
        rate_limited: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Unknown-Params": components["headers"]["X-Unknown-Params"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
    };
    parameters: {
        /**
         * @description Required for organization keys: the email address of the team member whose mail the request concerns. If missing, the response is 400 `invalid_params`. If the address is not that of a member who accepted the invitation, it is 404 `not_found`.
         * @example bo@example.org
         */
        OnBehalfOf: string;
        /**
         * @description `handling=strict` (RFC 7240) rejects unknown body fields and query parameters with 400 `invalid_params` before anything is changed. Otherwise they are ignored and listed in `X-Unknown-Params`.
         * @example handling=strict
         */
        Prefer: string;
    };
    requestBodies: never;
    headers: {
        /** @description Identifies the request. Quote it when you ask for support. */
        "X-Request-Id": string;
        /** @description Requests per minute that the tightest of the three rate limits allows (API key, user or client address). */
        "X-RateLimit-Limit": number;
        /** @description Requests left in the current minute of that limit. */
        "X-RateLimit-Remaining": number;
        /** @description When that limit resets, in Unix seconds. */
        "X-RateLimit-Reset": number;
        /** @description Seconds to wait before the next request. */
        "Retry-After": number;
        /** @description `true` if this is the stored response to an earlier request with the same Idempotency-Key. */
        "Idempotency-Replayed": "true";
        /** @description `true` if the end of the message is missing from the page. */
        "X-Truncated": "true";
        /**
         * @description The unknown body fields and query parameters of the request, as a list of strings (RFC 9651). Each has the parameter `did-you-mean` if a similar name is known. Non-ASCII names are display strings. `more;count=N` counts names that are not listed.
         * @example "reed";did-you-mean="read"
         */
        "X-Unknown-Params": string;
        /** @description `handling=strict` if the request asked for strict handling and it was applied. */
        "Preference-Applied": "handling=strict";
    };
    pathItems: never;
}
export type Account = components['schemas']['Account'];
export type AccountList = components['schemas']['AccountList'];
export type AgentAction = components['schemas']['AgentAction'];
export type AgentActionList = components['schemas']['AgentActionList'];
export type AgentRun = components['schemas']['AgentRun'];
export type Answer = components['schemas']['Answer'];
export type AuditEntry = components['schemas']['AuditEntry'];
export type AuditList = components['schemas']['AuditList'];
export type Brief = components['schemas']['Brief'];
export type BriefGenerated = components['schemas']['BriefGenerated'];
export type BriefSettings = components['schemas']['BriefSettings'];
export type BriefSettingsPatch = components['schemas']['BriefSettingsPatch'];
export type CalendarEvent = components['schemas']['CalendarEvent'];
export type CalendarEventCreate = components['schemas']['CalendarEventCreate'];
export type CalendarEventCreated = components['schemas']['CalendarEventCreated'];
export type CalendarEventDeleted = components['schemas']['CalendarEventDeleted'];
export type CalendarEventList = components['schemas']['CalendarEventList'];
export type Completeness = components['schemas']['Completeness'];
export type Contact = components['schemas']['Contact'];
export type ContactImport = components['schemas']['ContactImport'];
export type ContactList = components['schemas']['ContactList'];
export type ContactPatch = components['schemas']['ContactPatch'];
export type ContactPatched = components['schemas']['ContactPatched'];
export type ContextFile = components['schemas']['ContextFile'];
export type ContextFileDeleted = components['schemas']['ContextFileDeleted'];
export type ContextFileList = components['schemas']['ContextFileList'];
export type ContextProfile = components['schemas']['ContextProfile'];
export type ContextProfileCreate = components['schemas']['ContextProfileCreate'];
export type ContextProfileDeleted = components['schemas']['ContextProfileDeleted'];
export type ContextProfileItem = components['schemas']['ContextProfileItem'];
export type ContextProfileList = components['schemas']['ContextProfileList'];
export type ContextProfilePatch = components['schemas']['ContextProfilePatch'];
export type ContextProfilePatched = components['schemas']['ContextProfilePatched'];
export type ContextVariable = components['schemas']['ContextVariable'];
export type ContextVariableDeleted = components['schemas']['ContextVariableDeleted'];
export type ContextVariableList = components['schemas']['ContextVariableList'];
export type ContextVariablePut = components['schemas']['ContextVariablePut'];
export type Draft = components['schemas']['Draft'];
export type DraftAiNote = components['schemas']['DraftAiNote'];
export type DraftAttachment = components['schemas']['DraftAttachment'];
export type DraftAttachmentDeleted = components['schemas']['DraftAttachmentDeleted'];
export type DraftDeleted = components['schemas']['DraftDeleted'];
export type DraftEdit = components['schemas']['DraftEdit'];
export type DraftItem = components['schemas']['DraftItem'];
export type DraftList = components['schemas']['DraftList'];
export type DraftSend = components['schemas']['DraftSend'];
export type DraftUpdated = components['schemas']['DraftUpdated'];
export type EngineStatus = components['schemas']['EngineStatus'];
export type Event = components['schemas']['Event'];
export type EventList = components['schemas']['EventList'];
export type Extraction = components['schemas']['Extraction'];
export type Folder = components['schemas']['Folder'];
export type FolderList = components['schemas']['FolderList'];
export type Label = components['schemas']['Label'];
export type LabelCreate = components['schemas']['LabelCreate'];
export type LabelDeleted = components['schemas']['LabelDeleted'];
export type LabelList = components['schemas']['LabelList'];
export type LabelPatch = components['schemas']['LabelPatch'];
export type Message = components['schemas']['Message'];
export type MessageSend = components['schemas']['MessageSend'];
export type ModelCall = components['schemas']['ModelCall'];
export type ModelCallList = components['schemas']['ModelCallList'];
export type NewDraft = components['schemas']['NewDraft'];
export type NewWebhookEndpoint = components['schemas']['NewWebhookEndpoint'];
export type Question = components['schemas']['Question'];
export type Rule = components['schemas']['Rule'];
export type RuleAction = components['schemas']['RuleAction'];
export type RuleApply = components['schemas']['RuleApply'];
export type RuleCondition = components['schemas']['RuleCondition'];
export type RuleCreate = components['schemas']['RuleCreate'];
export type RuleCreated = components['schemas']['RuleCreated'];
export type RuleDeleted = components['schemas']['RuleDeleted'];
export type RuleList = components['schemas']['RuleList'];
export type RuleOrder = components['schemas']['RuleOrder'];
export type RulePatch = components['schemas']['RulePatch'];
export type RulePreview = components['schemas']['RulePreview'];
export type RulePreviewRequest = components['schemas']['RulePreviewRequest'];
export type RuleProgress = components['schemas']['RuleProgress'];
export type SearchReply = components['schemas']['SearchReply'];
export type SearchRequest = components['schemas']['SearchRequest'];
export type SearchResult = components['schemas']['SearchResult'];
export type Send = components['schemas']['Send'];
export type SendCancelled = components['schemas']['SendCancelled'];
export type SendList = components['schemas']['SendList'];
export type SendScheduled = components['schemas']['SendScheduled'];
export type SuggestReply = components['schemas']['SuggestReply'];
export type Suggestion = components['schemas']['Suggestion'];
export type Summary = components['schemas']['Summary'];
export type Thread = components['schemas']['Thread'];
export type ThreadBatch = components['schemas']['ThreadBatch'];
export type ThreadBatchReply = components['schemas']['ThreadBatchReply'];
export type ThreadChoice = components['schemas']['ThreadChoice'];
export type ThreadItem = components['schemas']['ThreadItem'];
export type ThreadList = components['schemas']['ThreadList'];
export type ThreadMessage = components['schemas']['ThreadMessage'];
export type ThreadMessageList = components['schemas']['ThreadMessageList'];
export type ThreadPatch = components['schemas']['ThreadPatch'];
export type ThreadPatched = components['schemas']['ThreadPatched'];
export type UnsubscribeBody = components['schemas']['UnsubscribeBody'];
export type Unsubscribed = components['schemas']['Unsubscribed'];
export type Usage = components['schemas']['Usage'];
export type WebhookAttempt = components['schemas']['WebhookAttempt'];
export type WebhookCreated = components['schemas']['WebhookCreated'];
export type WebhookDelivery = components['schemas']['WebhookDelivery'];
export type WebhookDeliveryDetail = components['schemas']['WebhookDeliveryDetail'];
export type WebhookDeliveryList = components['schemas']['WebhookDeliveryList'];
export type WebhookDeliveryReply = components['schemas']['WebhookDeliveryReply'];
export type WebhookEndpoint = components['schemas']['WebhookEndpoint'];
export type WebhookList = components['schemas']['WebhookList'];
export type WebhookPatch = components['schemas']['WebhookPatch'];
export type WebhookReply = components['schemas']['WebhookReply'];
export type WebhookRotated = components['schemas']['WebhookRotated'];
export type WebhookUpdated = components['schemas']['WebhookUpdated'];
export type Error = components['schemas']['Error'];
export type ResponseInvalidParams = components['responses']['invalid_params'];
export type ResponseUnauthorized = components['responses']['unauthorized'];
export type ResponsePlanRequired = components['responses']['plan_required'];
export type ResponseForbiddenScope = components['responses']['forbidden_scope'];
export type ResponseNotFound = components['responses']['not_found'];
export type ResponseRateLimitedOrQuotaExceeded = components['responses']['rate_limited_or_quota_exceeded'];
export type ResponseInternalError = components['responses']['internal_error'];
export type ResponseStorageFull = components['responses']['storage_full'];
export type ResponseLabelBusyOrIdempotencyConflict = components['responses']['label_busy_or_idempotency_conflict'];
export type ResponsePayloadTooLarge = components['responses']['payload_too_large'];
export type ResponseServerPaused = components['responses']['server_paused'];
export type ResponseIdempotencyConflictOrIdempotencyInProgress = components['responses']['idempotency_conflict_or_idempotency_in_progress'];
export type ResponseLabelExistsOrLabelBusyOrIdempotencyConflict = components['responses']['label_exists_or_label_busy_or_idempotency_conflict'];
export type ResponseIdempotencyConflictOrIdempotencyInProgressOrUnsubscribeUnavailable = components['responses']['idempotency_conflict_or_idempotency_in_progress_or_unsubscribe_unavailable'];
export type ResponseUnsubscribeFailed = components['responses']['unsubscribe_failed'];
export type ResponseRangeNotSatisfiable = components['responses']['range_not_satisfiable'];
export type ResponseProviderUnavailable = components['responses']['provider_unavailable'];
export type ResponseInsufficientCreditsOrPlanRequired = components['responses']['insufficient_credits_or_plan_required'];
export type ResponseDraftLockedOrIdempotencyConflict = components['responses']['draft_locked_or_idempotency_conflict'];
export type ResponseDraftLockedOrIdempotencyConflictOrIdempotencyInProgress = components['responses']['draft_locked_or_idempotency_conflict_or_idempotency_in_progress'];
export type ResponseIdempotencyConflict = components['responses']['idempotency_conflict'];
export type ResponseUndoWindowElapsedOrIdempotencyConflict = components['responses']['undo_window_elapsed_or_idempotency_conflict'];
export type ResponseRateLimited = components['responses']['rate_limited'];
export type ParameterOnBehalfOf = components['parameters']['OnBehalfOf'];
export type ParameterPrefer = components['parameters']['Prefer'];
export type HeaderXRequestId = components['headers']['X-Request-Id'];
export type HeaderXRateLimitLimit = components['headers']['X-RateLimit-Limit'];
export type HeaderXRateLimitRemaining = components['headers']['X-RateLimit-Remaining'];
export type HeaderXRateLimitReset = components['headers']['X-RateLimit-Reset'];
export type HeaderRetryAfter = components['headers']['Retry-After'];
export type HeaderIdempotencyReplayed = components['headers']['Idempotency-Replayed'];
export type HeaderXTruncated = components['headers']['X-Truncated'];
export type HeaderXUnknownParams = components['headers']['X-Unknown-Params'];
export type HeaderPreferenceApplied = components['headers']['Preference-Applied'];
export type $defs = Record<string, never>;
export interface operations {
    listAccounts: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Required for organization keys: the email address of the team member whose mail the request concerns. If missing, the response is 400 `invalid_params`. If the address is not that of a member who accepted the invitation, it is 404 `not_found`.
                 * @example bo@example.org
                 */
                "X-On-Behalf-Of"?: components["parameters"]["OnBehalfOf"];
                /**
                 * @description `handling=strict` (RFC 7240) rejects unknown body fields and query parameters with 400 `invalid_params` before anything is changed. Otherwise they are ignored and listed in `X-Unknown-Params`.
                 * @example handling=strict
                 */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Unknown-Params": components["headers"]["X-Unknown-Params"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "acc_01kk8f2v0c5s9w3n7r1m4q6t8x",
                     *           "provider": "imap",
                     *           "email": "alex@example.com",
                     *           "status": "active",
                     *           "last_sync_at": "2026-03-02T09:00:00.000Z",
                     *           "last_error": null,
                     *           "sync": {
                     *             "phase": "live",
                     *             "done": 18204,
                     *             "total": 18204
                     *           },
                     *           "search": {
                     *             "done": 18204,
                     *             "total": 18204,
                     *             "full_text": {
                     *               "done": 18204,
                     *               "total": 18204
                     *             }
                     *           }
                     *         }
                     *       ],
                     *       "has_more": false
                     *     }
                     */
                    "application/json": components["schemas"]["AccountList"];
                };
            };
            400: components["responses"]["invalid_params"];
            401: components["responses"]["unauthorized"];
            402: components["responses"]["plan_required"];
            403: components["responses"]["forbidden_scope"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited_or_quota_exceeded"];
            500: components["responses"]["internal_error"];
            507: components["responses"]["storage_full"];
        };
    };
    getCompleteness: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Required for organization keys: the email address of the team member whose mail the request concerns. If missing, the response is 400 `invalid_params`. If the address is not that of a member who accepted the invitation, it is 404 `not_found`.
                 * @example bo@example.org
                 */
                "X-On-Behalf-Of"?: components["parameters"]["OnBehalfOf"];
                /**
                 * @description `handling=strict` (RFC 7240) rejects unknown body fields and query parameters with 400 `invalid_params` before anything is changed. Otherwise they are ignored and listed in `X-Unknown-Params`.
                 * @example handling=strict
                 */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /** @example acc_01jz4t9h2m8q5r7v3w6x0y1z2a */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Unknown-Params": components["headers"]["X-Unknown-Params"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "account_id": "acc_01kk8f2v0c5s9w3n7r1m4q6t8x",
                     *       "complete": true,
                     *       "sentence": "12,431 of 12,431 messages are here, verified 3 minutes ago.",
                     *       "verified_at": "2026-03-02T08:57:00.000Z",
                     *       "error": null,
                     *       "total": {
                     *         "server": 12431,
                     *         "here": 12431,
                     *         "missing": 0,
                     *         "extra": 0
                     *       },
                     *       "folders": [
                     *         {
                     *           "path": "INBOX",
                     *           "role": "inbox",
                     *           "server": 12431,
                     *           "here": 12431,
                     *           "missing": 0,
                     *           "extra": 0,
                     *           "refused": false,
                     *           "verified_at": "2026-03-02T08:57:00.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Completeness"];
                };
            };
            400: components["responses"]["invalid_params"];
            401: components["responses"]["unauthorized"];
            402: components["responses"]["plan_required"];
            403: components["responses"]["forbidden_scope"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited_or_quota_exceeded"];
            500: components["responses"]["internal_error"];
            507: components["responses"]["storage_full"];
        };
    };
    listThreads: {
        parameters: {
            query?: {
                /** @description Only threads in this state. `sent` lists every thread that contains a sent message, in any state. */
                state?: "inbox" | "archived" | "snoozed" | "trash" | "spam" | "sent";
                /** @description Only threads in this category. */
                tab?: "primary" | "social" | "promotions" | "updates";
                /** @description Only threads with this label. */
                label?: string;
                /** @description Only this mailbox; an unknown id is 404 `not_found`. */
                account_id?: string;
                /** @description True: only unread threads. False: only read threads. */
                unread?: boolean;
                /** @description True: only starred threads. False: only threads without a star. */
                starred?: boolean;
                /** @description True: only threads with an attachment. False: only threads without one. */
                has_attachment?: boolean;
                /** @description Only threads whose newest message was received before this time. */
                before?: string;
                /** @description Only threads whose newest message was received at or after this time. */
                after?: string;
                /** @description Only threads with a message that matches this query. Takes the words and operators of `POST /search`. Every word except function words must occur, in any form. Spelling is not corrected. */
                q?: string;
                /** @description Page size. */
                limit?: number;
                /** @description `next_cursor` of the previous page. */
                cursor?: string;
            };
            header?: {
                /**
                 * @description Required for organization keys: the email address of the team member whose mail the request concerns. If missing, the response is 400 `invalid_params`. If the address is not that of a member who accepted the invitation, it is 404 `not_found`.
                 * @example bo@example.org
                 */
                "X-On-Behalf-Of"?: components["parameters"]["OnBehalfOf"];
                /**
                 * @description `handling=strict` (RFC 7240) rejects unknown body fields and query parameters with 400 `invalid_params` before anything is changed. Otherwise they are ignored and listed in `X-Unknown-Params`.
                 * @example handling=strict
                 */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Unknown-Params": components["headers"]["X-Unknown-Params"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "thr_01kk8f2v0c5s9w3n7r1m4q6t8x",
                     *           "account_id": "acc_01kk8f2v0c5s9w3n7r1m4q6t8x",
                     *           "subject": "Invoice 1042",
                     *           "from": {
                     *             "name": "Maya Costa",
                     *             "email": "maya@harbourline.example"
                     *           },
                     *           "snippet": "Hello Alex, the invoice is attached.",
                     *           "labels": [
                     *             "Invoices"
                     *           ],
                     *           "unread": true,
                     *           "message_count": 1,
                     *           "updated_at": "2026-03-02T09:00:00.000Z",
                     *           "state": "inbox",
                     *           "starred": false,
                     *           "important": false,
                     *           "has_attachment": true,
                     *           "category": "primary"
                     *         }
                     *       ],
                     *       "has_more": false
                     *     }
                     */
                    "application/json": components["schemas"]["ThreadList"];
                };
            };
            400: components["responses"]["invalid_params"];
            401: components["responses"]["unauthorized"];
            402: components["responses"]["plan_required"];
            403: components["responses"]["forbidden_scope"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited_or_quota_exceeded"];
            500: components["responses"]["internal_error"];
            507: components["responses"]["storage_full"];
        };
    };
    getThread: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Required for organization keys: the email address of the team member whose mail the request concerns. If missing, the response is 400 `invalid_params`. If the address is not that of a member who accepted the invitation, it is 404 `not_found`.
                 * @example bo@example.org
                 */
                "X-On-Behalf-Of"?: components["parameters"]["OnBehalfOf"];
                /**
                 * @description `handling=strict` (RFC 7240) rejects unknown body fields and query parameters with 400 `invalid_params` before anything is changed. Otherwise they are ignored and listed in `X-Unknown-Params`.
                 * @example handling=strict
                 */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /** @example thr_01jz4t9h2m8q5r7v3w6x0y1z2a */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Unknown-Params": components["headers"]["X-Unknown-Params"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "thr_01kk8f2v0c5s9w3n7r1m4q6t8x",
                     *       "account_id": "acc_01kk8f2v0c5s9w3n7r1m4q6t8x",
                     *       "subject": "Invoice 1042",
                     *       "participants": [
                     *         "maya@harbourline.example",
                     *         "alex@example.com"
                     *       ],
                     *       "labels": [
                     *         "Invoices"
                     *       ],
                     *       "state": "inbox",
                     *       "unread": true,
                     *       "starred": false,
                     *       "important": false,
                     *       "snooze_until": null,
                     *       "messages": [
                     *         {
                     *           "id": "msg_01kk8f2v0c5s9w3n7r1m4q6t8x",
                     *           "from": {
                     *             "name": "Maya Costa",
                     *             "email": "maya@harbourline.example"
                     *           },
                     *           "date": "2026-03-02T09:00:00.000Z",
                     *           "snippet": "Hello Alex, the invoice is attached."
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Thread"];
                };
            };
            400: components["responses"]["invalid_params"];
            401: components["responses"]["unauthorized"];
            402: components["responses"]["plan_required"];
            403: components["responses"]["forbidden_scope"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited_or_quota_exceeded"];
            500: components["responses"]["internal_error"];
            507: components["responses"]["storage_full"];
        };
    };
    updateThread: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Required for organization keys: the email address of the team member whose mail the request concerns. If missing, the response is 400 `invalid_params`. If the address is not that of a member who accepted the invitation, it is 404 `not_found`.
                 * @example bo@example.org
                 */
                "X-On-Behalf-Of"?: components["parameters"]["OnBehalfOf"];
                /**
                 * @description `handling=strict` (RFC 7240) rejects unknown body fields and query parameters with 400 `invalid_params` before anything is changed. Otherwise they are ignored and listed in `X-Unknown-Params`.
                 * @example handling=strict
                 */
                Prefer?: components["parameters"]["Prefer"];
                /**
                 * @description A unique string of up to 255 characters. For 24 hours, a retry with the same key returns the first response instead of repeating the action.
                 * @example 6f9b2c1e-order-42
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @example thr_01jz4t9h2m8q5r7v3w6x0y1z2a */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "read": true,
                 *       "state": "archived",
                 *       "add_labels": [
                 *         "Invoices"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["ThreadPatch"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Unknown-Params": components["headers"]["X-Unknown-Params"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "thr_01kk8f2v0c5s9w3n7r1m4q6t8x",
                     *       "state": "archived",
                     *       "labels": [
                     *         "Invoices"
                     *       ],
                     *       "unread": false
                     *     }
                     */
                    "application/json": components["schemas"]["ThreadPatched"];
                };
            };
            400: components["responses"]["invalid_params"];
            401: components["responses"]["unauthorized"];
            402: components["responses"]["plan_required"];
            403: components["responses"]["forbidden_scope"];
            404: components["responses"]["not_found"];
            409: components["responses"]["label_busy_or_idempotency_conflict"];
            413: components["responses"]["payload_too_large"];
            429: components["responses"]["rate_limited_or_quota_exceeded"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["server_paused"];
            507: components["responses"]["storage_full"];
        };
    };
    listThreadMessages: {
        parameters: {
            query?: {
                /** @description Include the quoted reply history in `body_text`. */
                include_quoted?: boolean;
                /** @description Page size. */
                limit?: number;
                /** @description `next_cursor` of the previous page. */
                cursor?: string;
            };
            header?: {
                /**
                 * @description Required for organization keys: the email address of the team member whose mail the request concerns. If missing, the response is 400 `invalid_params`. If the address is not that of a member who accepted the invitation, it is 404 `not_found`.
                 * @example bo@example.org
                 */
                "X-On-Behalf-Of"?: components["parameters"]["OnBehalfOf"];
                /**
                 * @description `handling=strict` (RFC 7240) rejects unknown body fields and query parameters with 400 `invalid_params` before anything is changed. Otherwise they are ignored and listed in `X-Unknown-Params`.
                 * @example handling=strict
                 */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /** @example thr_01jz4t9h2m8q5r7v3w6x0y1z2a */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Unknown-Params": components["headers"]["X-Unknown-Params"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "msg_01kk8f2v0c5s9w3n7r1m4q6t8x",
                     *           "from": {
                     *             "name": "Maya Costa",
                     *             "email": "maya@harbourline.example"
                     *           },
                     *           "to": [
                     *             {
                     *               "name": "Alex",
                     *               "email": "alex@example.com"
                     *             }
                     *           ],
                     *           "cc": [],
                     *           "authentication": {
                     *             "result": "pass",
                     *             "from_domain": "harbourline.example",
                     *             "dmarc": "pass",
                     *             "spf": "pass",
                     *             "dkim": "pass"
                     *           },
                     *           "date": "2026-03-02T09:00:00.000Z",
                     *           "body_text": "Hello Alex,\n\nthe invoice is attached.\n\n-- \nMaya",
                     *           "new_text": "Hello Alex,\n\nthe invoice is attached.",
                     *           "attachments": [
                     *             {
                     *               "id": "att_01kk8f2v0c5s9w3n7r1m4q6t90",
                     *               "name": "invoice-1042.pdf",
                     *               "size": 48211,
                     *               "mime": "application/pdf",
                     *               "inline": false
                     *             }
                     *           ],
                     *           "unread": true,
                     *           "draft": false
                     *         }
                     *       ],
                     *       "has_more": false
                     *     }
                     */
                    "application/json": components["schemas"]["ThreadMessageList"];
                };
            };
            400: components["responses"]["invalid_params"];
            401: components["responses"]["unauthorized"];
            402: components["responses"]["plan_required"];
            403: components["responses"]["forbidden_scope"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited_or_quota_exceeded"];
            500: components["responses"]["internal_error"];
            507: components["responses"]["storage_full"];
        };
    };
    updateThreads: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Required for organization keys: the email address of the team member whose mail the request concerns. If missing, the response is 400 `invalid_params`. If the address is not that of a member who accepted the invitation, it is 404 `not_found`.
                 * @example bo@example.org
                 */
                "X-On-Behalf-Of"?: components["parameters"]["OnBehalfOf"];
                /**
                 * @description `handling=strict` (RFC 7240) rejects unknown body fields and query parameters with 400 `invalid_params` before anything is changed. Otherwise they are ignored and listed in `X-Unknown-Params`.
                 * @example handling=strict
                 */
                Prefer?: components["parameters"]["Prefer"];
                /**
                 * @description A unique string of up to 255 characters. For 24 hours, a retry with the same key returns the first response instead of repeating the action.
                 * @example 6f9b2c1e-order-42
                 */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "changes": [
                 *         {
                 *           "id": "thr_01kk8f2v0c5s9w3n7r1m4q6t8x",
                 *           "read": true,
                 *           "state": "archived"
                 *         },
                 *         {
                 *           "id": "thr_01kk8f2v0c5s9w3n7r1m4q6t8z",
                 *           "starred": true
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["ThreadBatch"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Unknown-Params": components["headers"]["X-Unknown-Params"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "ok": true,
                     *           "id": "thr_01kk8f2v0c5s9w3n7r1m4q6t8x",
                     *           "state": "archived",
                     *           "labels": [
                     *             "Invoices"
                     *           ],
                     *           "unread": false
                     *         },
                     *         {
                     *           "ok": false,
                     *           "id": "thr_01kk8f2v0c5s9w3n7r1m4q6t8z",
                     *           "error": {
                     *             "code": "not_found",
                     *             "message": "No such thread.",
                     *             "param": "id"
                     *           }
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ThreadBatchReply"];
                };
            };
            400: components["responses"]["invalid_params"];
            401: components["responses"]["unauthorized"];
            402: components["responses"]["plan_required"];
            403: components["responses"]["forbidden_scope"];
            404: components["responses"]["not_found"];
            409: components["responses"]["idempotency_conflict_or_idempotency_in_progress"];
            413: components["responses"]["payload_too_large"];
            429: components["responses"]["rate_limited_or_quota_exceeded"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["server_paused"];
            507: components["responses"]["storage_full"];
        };
    };
    listLabels: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Required for organization keys: the email address of the team member whose mail the request concerns. If missing, the response is 400 `invalid_params`. If the address is not that of a member who accepted the invitation, it is 404 `not_found`.
                 * @example bo@example.org
                 */
                "X-On-Behalf-Of"?: components["parameters"]["OnBehalfOf"];
                /**
                 * @description `handling=strict` (RFC 7240) rejects unknown body fields and query parameters with 400 `invalid_params` before anything is changed. Otherwise they are ignored and listed in `X-Unknown-Params`.
                 * @example handling=strict
                 */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Unknown-Params": components["headers"]["X-Unknown-Params"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "lbl_01kk8f2v0c5s9w3n7r1m4q6t8x",
                     *           "name": "Invoices",
                     *           "thread_count": 212,
                     *           "unread_count": 3,
                     *           "account_ids": [
                     *             "acc_01kk8f2v0c5s9w3n7r1m4q6t8x"
                     *           ],
                     *           "changing": false
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["LabelList"];
                };
            };
            400: components["responses"]["invalid_params"];
            401: components["responses"]["unauthorized"];
            402: components["responses"]["plan_required"];
            403: components["responses"]["forbidden_scope"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited_or_quota_exceeded"];
            500: components["responses"]["internal_error"];
            507: components["responses"]["storage_full"];
        };
    };
    createLabel: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Required for organization keys: the email address of the team member whose mail the request concerns. If missing, the response is 400 `invalid_params`. If the address is not that of a member who accepted the invitation, it is 404 `not_found`.
                 * @example bo@example.org
                 */
                "X-On-Behalf-Of"?: components["parameters"]["OnBehalfOf"];
                /**
                 * @description `handling=strict` (RFC 7240) rejects unknown body fields and query parameters with 400 `invalid_params` before anything is changed. Otherwise they are ignored and listed in `X-Unknown-Params`.
                 * @example handling=strict
                 */
                Prefer?: components["parameters"]["Prefer"];
                /**
                 * @description A unique string of up to 255 characters. For 24 hours, a retry with the same key returns the first response instead of repeating the action.
                 * @example 6f9b2c1e-order-42
                 */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Invoices"
                 *     }
                 */
                "application/json": components["schemas"]["LabelCreate"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Unknown-Params": components["headers"]["X-Unknown-Params"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "lbl_01kk8f2v0c5s9w3n7r1m4q6t8x",
                     *       "name": "Invoices",
                     *       "thread_count": 0,
                     *       "unread_count": 0,
                     *       "account_ids": [],
                     *       "changing": false
                     *     }
                     */
                    "application/json": components["schemas"]["Label"];
                };
            };
            400: components["responses"]["invalid_params"];
            401: components["responses"]["unauthorized"];
            402: components["responses"]["plan_required"];
            403: components["responses"]["forbidden_scope"];
            404: components["responses"]["not_found"];
            409: components["responses"]["label_busy_or_idempotency_conflict"];
            413: components["responses"]["payload_too_large"];
            429: components["responses"]["rate_limited_or_quota_exceeded"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["server_paused"];
            507: components["responses"]["storage_full"];
        };
    };
    deleteLabel: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Required for organization keys: the email address of the team member whose mail the request concerns. If missing, the response is 400 `invalid_params`. If the address is not that of a member who accepted the invitation, it is 404 `not_found`.
                 * @example bo@example.org
                 */
                "X-On-Behalf-Of"?: components["parameters"]["OnBehalfOf"];
                /**
                 * @description `handling=strict` (RFC 7240) rejects unknown body fields and query parameters with 400 `invalid_params` before anything is changed. Otherwise they are ignored and listed in `X-Unknown-Params`.
                 * @example handling=strict
                 */
                Prefer?: components["parameters"]["Prefer"];
                /**
                 * @description A unique string of up to 255 characters. For 24 hours, a retry with the same key returns the first response instead of repeating the action.
                 * @example 6f9b2c1e-order-42
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @example lbl_01jz4t9h2m8q5r7v3w6x0y1z2a */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Unknown-Params": components["headers"]["X-Unknown-Params"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "lbl_01kk8f2v0c5s9w3n7r1m4q6t8x",
                     *       "deleted": true
                     *     }
                     */
                    "application/json": components["schemas"]["LabelDeleted"];
                };
            };
            400: components["responses"]["invalid_params"];
            401: components["responses"]["unauthorized"];
            402: components["responses"]["plan_required"];
            403: components["responses"]["forbidden_scope"];
            404: components["responses"]["not_found"];
            409: components["responses"]["label_busy_or_idempotency_conflict"];
            429: components["responses"]["rate_limited_or_quota_exceeded"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["server_paused"];
            507: components["responses"]["storage_full"];
        };
    };
    renameLabel: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Required for organization keys: the email address of the team member whose mail the request concerns. If missing, the response is 400 `invalid_params`. If the address is not that of a member who accepted the invitation, it is 404 `not_found`.
                 * @example bo@example.org
                 */
                "X-On-Behalf-Of"?: components["parameters"]["OnBehalfOf"];
                /**
                 * @description `handling=strict` (RFC 7240) rejects unknown body fields and query parameters with 400 `invalid_params` before anything is changed. Otherwise they are ignored and listed in `X-Unknown-Params`.
                 * @example handling=strict
                 */
                Prefer?: components["parameters"]["Prefer"];
                /**
                 * @description A unique string of up to 255 characters. For 24 hours, a retry with the same key returns the first response instead of repeating the action.
                 * @example 6f9b2c1e-order-42
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @example lbl_01jz4t9h2m8q5r7v3w6x0y1z2a */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Invoices"
                 *     }
                 */
                "application/json": components["schemas"]["LabelPatch"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Unknown-Params": components["headers"]["X-Unknown-Params"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "lbl_01kk8f2v0c5s9w3n7r1m4q6t8x",
                     *       "name": "Invoices",
                     *       "thread_count": 212,
                     *       "unread_count": 3,
                     *       "account_ids": [
                     *         "acc_01kk8f2v0c5s9w3n7r1m4q6t8x"
                     *       ],
                     *       "changing": false
                     *     }
                     */
                    "application/json": components["schemas"]["Label"];
                };
            };
            400: components["responses"]["invalid_params"];
            401: components["responses"]["unauthorized"];
            402: components["responses"]["plan_required"];
            403: components["responses"]["forbidden_scope"];
            404: components["responses"]["not_found"];
            409: components["responses"]["label_exists_or_label_busy_or_idempotency_conflict"];
            413: components["responses"]["payload_too_large"];
            429: components["responses"]["rate_limited_or_quota_exceeded"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["server_paused"];
            507: components["responses"]["storage_full"];
        };
    };
    listFolders: {
        parameters: {
            query?: {
                /** @description Only this mailbox; an unknown id is 404 `not_found`. */
                account_id?: string;
            };
            header?: {
                /**
                 * @description Required for organization keys: the email address of the team member whose mail the request concerns. If missing, the response is 400 `invalid_params`. If the address is not that of a member who accepted the invitation, it is 404 `not_found`.
                 * @example bo@example.org
                 */
                "X-On-Behalf-Of"?: components["parameters"]["OnBehalfOf"];
                /**
                 * @description `handling=strict` (RFC 7240) rejects unknown body fields and query parameters with 400 `invalid_params` before anything is changed. Otherwise they are ignored and listed in `X-Unknown-Params`.
                 * @example handling=strict
                 */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Unknown-Params": components["headers"]["X-Unknown-Params"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "fld_01kk8f2v0c5s9w3n7r1m4q6t8x",
                     *           "account_id": "acc_01kk8f2v0c5s9w3n7r1m4q6t8x",
                     *           "path": "INBOX",
                     *           "role": "inbox",
                     *           "message_count": 1204,
                     *           "unread_count": 17,
                     *           "synced": true
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["FolderList"];
                };
            };
            400: components["responses"]["invalid_params"];
            401: components["responses"]["unauthorized"];
            402: components["responses"]["plan_required"];
            403: components["responses"]["forbidden_scope"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited_or_quota_exceeded"];
            500: components["responses"]["internal_error"];
            507: components["responses"]["storage_full"];
        };
    };
    getMessage: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Required for organization keys: the email address of the team member whose mail the request concerns. If missing, the response is 400 `invalid_params`. If the address is not that of a member who accepted the invitation, it is 404 `not_found`.
                 * @example bo@example.org
                 */
                "X-On-Behalf-Of"?: components["parameters"]["OnBehalfOf"];
                /**
                 * @description `handling=strict` (RFC 7240) rejects unknown body fields and query parameters with 400 `invalid_params` before anything is changed. Otherwise they are ignored and listed in `X-Unknown-Params`.
                 * @example handling=strict
                 */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /** @example msg_01jz4t9h2m8q5r7v3w6x0y1z2a */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Unknown-Params": components["headers"]["X-Unknown-Params"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "msg_01kk8f2v0c5s9w3n7r1m4q6t8x",
                     *       "thread_id": "thr_01kk8f2v0c5s9w3n7r1m4q6t8y",
                     *       "account_id": "acc_01kk8f2v0c5s9w3n7r1m4q6t8z",
                     *       "from": {
                     *         "name": "Maya Costa",
                     *         "email": "maya@harbourline.example"
                     *       },
                     *       "to": [
                     *         {
                     *           "name": "Alex",
                     *           "email": "alex@example.com"
                     *         }
                     *       ],
                     *       "cc": [],
                     *       "authentication": {
                     *         "result": "pass",
                     *         "from_domain": "harbourline.example",
                     *         "dmarc": "pass",
                     *         "spf": "pass",
                     *         "dkim": "pass"
                     *       },
                     *       "subject": "Invoice 1042",
                     *       "date": "2026-03-02T09:00:00.000Z",
                     *       "body_text": "Hello Alex,\n\nthe invoice is attached.\n\n-- \nMaya",
                     *       "new_text": "Hello Alex,\n\nthe invoice is attached.",
                     *       "headers": {
                     *         "message_id": "<1042@harbourline.example>"
                     *       },
                     *       "labels": [
                     *         "Invoices"
                     *       ],
                     *       "unread": true,
                     *       "starred": false,
                     *       "draft": false,
                     *       "category": "primary",
                     *       "category_reason": "person",
                     *       "attachments": [
                     *         {
                     *           "id": "att_01kk8f2v0c5s9w3n7r1m4q6t90",
                     *           "name": "invoice-1042.pdf",
                     *           "size": 48211,
                     *           "mime": "application/pdf",
                     *           "inline": false
                     *         }
                     *       ],
                     *       "unsubscribe": null
                     *     }
                     */
                    "application/json": components["schemas"]["Message"];
                };
            };
            400: components["responses"]["invalid_params"];
            401: components["responses"]["unauthorized"];
            402: components["responses"]["plan_required"];
            403: components["responses"]["forbidden_scope"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited_or_quota_exceeded"];
            500: components["responses"]["internal_error"];
            507: components["responses"]["storage_full"];
        };
    };
    getMessageBody: {
        parameters: {
            query?: {
                /** @description `remote` also loads images from the web. This reveals the reader's address to their servers. */
                images?: "none" | "remote";
            };
            header?: {
                /**
                 * @description Required for organization keys: the email address of the team member whose mail the request concerns. If missing, the response is 400 `invalid_params`. If the address is not that of a member who accepted the invitation, it is 404 `not_found`.
                 * @example bo@example.org
                 */
                "X-On-Behalf-Of"?: components["parameters"]["OnBehalfOf"];
                /**
                 * @description `handling=strict` (RFC 7240) rejects unknown body fields and query parameters with 400 `invalid_params` before anything is changed. Otherwise they are ignored and listed in `X-Unknown-Params`.
                 * @example handling=strict
                 */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /** @example msg_01jz4t9h2m8q5r7v3w6x0y1z2a */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Unknown-Params": components["headers"]["X-Unknown-Params"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "X-Truncated": components["headers"]["X-Truncated"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html; charset=utf-8": string;
                };
            };
            400: components["responses"]["invalid_params"];
            401: components["responses"]["unauthorized"];
            402: components["responses"]["plan_required"];
            403: components["responses"]["forbidden_scope"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited_or_quota_exceeded"];
            500: components["responses"]["internal_error"];
            507: components["responses"]["storage_full"];
        };
    };
    unsubscribe: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Required for organization keys: the email address of the team member whose mail the request concerns. If missing, the response is 400 `invalid_params`. If the address is not that of a member who accepted the invitation, it is 404 `not_found`.
                 * @example bo@example.org
                 */
                "X-On-Behalf-Of"?: components["parameters"]["OnBehalfOf"];
                /**
                 * @description `handling=strict` (RFC 7240) rejects unknown body fields and query parameters with 400 `invalid_params` before anything is changed. Otherwise they are ignored and listed in `X-Unknown-Params`.
                 * @example handling=strict
                 */
                Prefer?: components["parameters"]["Prefer"];
                /**
                 * @description A unique string of up to 255 characters. For 24 hours, a retry with the same key returns the first response instead of repeating the action.
                 * @example 6f9b2c1e-order-42
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @example msg_01jz4t9h2m8q5r7v3w6x0y1z2a */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "confirm": true
                 *     }
                 */
                "application/json": components["schemas"]["UnsubscribeBody"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Unknown-Params": components["headers"]["X-Unknown-Params"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message_id": "msg_01kk8f2v0c5s9w3n7r1m4q6t8x",
                     *       "host": "news.harbourline.example",
                     *       "unsubscribed_at": "2026-03-02T09:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Unsubscribed"];
                };
            };
            400: components["responses"]["invalid_params"];
            401: components["responses"]["unauthorized"];
            402: components["responses"]["plan_required"];
            403: components["responses"]["forbidden_scope"];
            404: components["responses"]["not_found"];
            409: components["responses"]["idempotency_conflict_or_idempotency_in_progress_or_unsubscribe_unavailable"];
            413: components["responses"]["payload_too_large"];
            429: components["responses"]["rate_limited_or_quota_exceeded"];
            500: components["responses"]["internal_error"];
            502: components["responses"]["unsubscribe_failed"];
            503: components["responses"]["server_paused"];
            507: components["responses"]["storage_full"];
        };
    };
    getAttachment: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Required for organization keys: the email address of the team member whose mail the request concerns. If missing, the response is 400 `invalid_params`. If the address is not that of a member who accepted the invitation, it is 404 `not_found`.
                 * @example bo@example.org
                 */
                "X-On-Behalf-Of"?: components["parameters"]["OnBehalfOf"];
                /**
                 * @description `handling=strict` (RFC 7240) rejects unknown body fields and query parameters with 400 `invalid_params` before anything is changed. Otherwise they are ignored and listed in `X-Unknown-Params`.
                 * @example handling=strict
                 */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /** @example msg_01jz4t9h2m8q5r7v3w6x0y1z2a */
                id: string;
                /** @example att_01jz4t9h2m8q5r7v3w6x0y1z2a */
                att_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Unknown-Params": components["headers"]["X-Unknown-Params"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    [name: string]: unknown;
                };
                content: {
                    "*/*": string;
                };
            };
            /** @description The requested range. */
            206: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Unknown-Params": components["headers"]["X-Unknown-Params"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    [name: string]: unknown;
                };
                content: {
                    "*/*": string;
                };
            };
            /** @description The content still matches the ETag in `If-None-Match`. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Unknown-Params": components["headers"]["X-Unknown-Params"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["invalid_params"];
            401: components["responses"]["unauthorized"];
            402: components["responses"]["plan_required"];
            403: components["responses"]["forbidden_scope"];
            404: components["responses"]["not_found"];
            416: components["responses"]["range_not_satisfiable"];
            429: components["responses"]["rate_limited_or_quota_exceeded"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["provider_unavailable"];
            507: components["responses"]["storage_full"];
        };
    };
    getMessageSource: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Required for organization keys: the email address of the team member whose mail the request concerns. If missing, the response is 400 `invalid_params`. If the address is not that of a member who accepted the invitation, it is 404 `not_found`.
                 * @example bo@example.org
                 */
                "X-On-Behalf-Of"?: components["parameters"]["OnBehalfOf"];
                /**
                 * @description `handling=strict` (RFC 7240) rejects unknown body fields and query parameters with 400 `invalid_params` before anything is changed. Otherwise they are ignored and listed in `X-Unknown-Params`.
                 * @example handling=strict
                 */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /** @example msg_01jz4t9h2m8q5r7v3w6x0y1z2a */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Unknown-Params": components["headers"]["X-Unknown-Params"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    [name: string]: unknown;
                };
                content: {
                    "message/rfc822": string;
                };
            };
            /** @description The requested range. */
            206: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Unknown-Params": components["headers"]["X-Unknown-Params"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    [name: string]: unknown;
                };
                content: {
                    "message/rfc822": string;
                };
            };
            /** @description The content still matches the ETag in `If-None-Match`. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Unknown-Params": components["headers"]["X-Unknown-Params"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["invalid_params"];
            401: components["responses"]["unauthorized"];
            402: components["responses"]["plan_required"];
            403: components["responses"]["forbidden_scope"];
            404: components["responses"]["not_found"];
            416: components["responses"]["range_not_satisfiable"];
            429: components["responses"]["rate_limited_or_quota_exceeded"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["provider_unavailable"];
            507: components["responses"]["storage_full"];
        };
    };
    listDrafts: {
        parameters: {
            query?: {
                /** @description Page size. */
                limit?: number;
                /** @description `next_cursor` of the previous page. */
                cursor?: string;
            };
            header?: {
                /**
                 * @description Required for organization keys: the email address of the team member whose mail the request concerns. If missing, the response is 400 `invalid_params`. If the address is not that of a member who accepted the invitation, it is 404 `not_found`.
                 * @example bo@example.org
                 */
                "X-On-Behalf-Of"?: components["parameters"]["OnBehalfOf"];
                /**
                 * @description `handling=strict` (RFC 7240) rejects unknown body fields and query parameters with 400 `invalid_params` before anything is changed. Otherwise they are ignored and listed in `X-Unknown-Params`.
                 * @example handling=strict
                 */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Unknown-Params": components["headers"]["X-Unknown-Params"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "drf_01kp7a3v9w8x5y2z4b6c1d0e7g",
                     *           "to": [
                     *             "maria@acme.example"
                     *           ],
                     *           "subject": "Lunch",
                     *           "status": "draft",
                     *           "send_id": null,
                     *           "updated_at": "2026-03-02T09:00:00.000Z",
                     *           "account_id": "acc_01kp7a3v9w8x5y2z4b6c1d0e7h",
                     *           "thread_id": null
                     *         }
                     *       ],
                     *       "has_more": false
                     *     }
                     */
                    "application/json": components["schemas"]["DraftList"];
                };
            };
            400: components["responses"]["invalid_params"];
            401: components["responses"]["unauthorized"];
            402: components["responses"]["plan_required"];
            403: components["responses"]["forbidden_scope"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited_or_quota_exceeded"];
            500: components["responses"]["internal_error"];
            507: components["responses"]["storage_full"];
        };
    };
    createDraft: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Required for organization keys: the email address of the team member whose mail the request concerns. If missing, the response is 400 `invalid_params`. If the address is not that of a member who accepted the invitation, it is 404 `not_found`.
                 * @example bo@example.org
                 */
                "X-On-Behalf-Of"?: components["parameters"]["OnBehalfOf"];
                /**
                 * @description `handling=strict` (RFC 7240) rejects unknown body fields and query parameters with 400 `invalid_params` before anything is changed. Otherwise they are ignored and listed in `X-Unknown-Params`.
                 * @example handling=strict
                 */
                Prefer?: components["parameters"]["Prefer"];
                /**
                 * @description A unique string of up to 255 characters. For 24 hours, a retry with the same key returns the first response instead of repeating the action.
                 * @example 6f9b2c1e-order-42
                 */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "to": [
                 *         "maria@acme.example"
                 *       ],
                 *       "subject": "Lunch",
                 *       "body": "Tomorrow at one?",
                 *       "use_ai": false
                 *     }
                 */
                "application/json": components["schemas"]["NewDraft"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Unknown-Params": components["headers"]["X-Unknown-Params"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "drf_01kp7a3v9w8x5y2z4b6c1d0e7g",
                     *       "account_id": "acc_01kp7a3v9w8x5y2z4b6c1d0e7h",
                     *       "thread_id": null,
                     *       "from": "ada@example.org",
                     *       "to": [
                     *         "maria@acme.example"
                     *       ],
                     *       "cc": [],
                     *       "bcc": [],
                     *       "subject": "Lunch",
                     *       "body": "Tomorrow at one?",
                     *       "attachments": [],
                     *       "status": "draft",
                     *       "send_id": null,
                     *       "created_at": "2026-03-02T09:00:00.000Z",
                     *       "updated_at": "2026-03-02T09:00:00.000Z",
                     *       "credits_spent": 0
                     *     }
                     */
                    "application/json": components["schemas"]["Draft"];
                };
            };
            400: components["responses"]["invalid_params"];
            401: components["responses"]["unauthorized"];
            402: components["responses"]["insufficient_credits_or_plan_required"];
            403: components["responses"]["forbidden_scope"];
            404: components["responses"]["not_found"];
            409: components["responses"]["idempotency_conflict_or_idempotency_in_progress"];
            413: components["responses"]["payload_too_large"];
            429: components["responses"]["rate_limited_or_quota_exceeded"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["server_paused"];
            507: components["responses"]["storage_full"];
        };
    };
    getDraft: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Required for organization keys: the email address of the team member whose mail the request concerns. If missing, the response is 400 `invalid_params`. If the address is not that of a member who accepted the invitation, it is 404 `not_found`.
                 * @example bo@example.org
                 */
                "X-On-Behalf-Of"?: components["parameters"]["OnBehalfOf"];
                /**
                 * @description `handling=strict` (RFC 7240) rejects unknown body fields and query parameters with 400 `invalid_params` before anything is changed. Otherwise they are ignored and listed in `X-Unknown-Params`.
                 * @example handling=strict
                 */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /** @example drf_01jz4t9h2m8q5r7v3w6x0y1z2a */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Unknown-Params": components["headers"]["X-Unknown-Params"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "drf_01kp7a3v9w8x5y2z4b6c1d0e7g",
                     *       "account_id": "acc_01kp7a3v9w8x5y2z4b6c1d0e7h",
                     *       "thread_id": null,
                     *       "from": "ada@example.org",
                     *       "to": [
                     *         "maria@acme.example"
                     *       ],
                     *       "cc": [],
                     *       "bcc": [],
                     *       "subject": "Lunch",
                     *       "body": "Tomorrow at one?",
                     *       "attachments": [],
                     *       "status": "draft",
                     *       "send_id": null,
                     *       "created_at": "2026-03-02T09:00:00.000Z",
                     *       "updated_at": "2026-03-02T09:00:00.000Z",
                     *       "credits_spent": 0
                     *     }
                     */
                    "application/json": components["schemas"]["Draft"];
                };
            };
            400: components["responses"]["invalid_params"];
            401: components["responses"]["unauthorized"];
            402: components["responses"]["plan_required"];
            403: components["responses"]["forbidden_scope"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited_or_quota_exceeded"];
            500: components["responses"]["internal_error"];
            507: components["responses"]["storage_full"];
        };
    };
    deleteDraft: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Required for organization keys: the email address of the team member whose mail the request concerns. If missing, the response is 400 `invalid_params`. If the address is not that of a member who accepted the invitation, it is 404 `not_found`.
                 * @example bo@example.org
                 */
                "X-On-Behalf-Of"?: components["parameters"]["OnBehalfOf"];
                /**
                 * @description `handling=strict` (RFC 7240) rejects unknown body fields and query parameters with 400 `invalid_params` before anything is changed. Otherwise they are ignored and listed in `X-Unknown-Params`.
                 * @example handling=strict
                 */
                Prefer?: components["parameters"]["Prefer"];
                /**
                 * @description A unique string of up to 255 characters. For 24 hours, a retry with the same key returns the first response instead of repeating the action.
                 * @example 6f9b2c1e-order-42
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @example drf_01jz4t9h2m8q5r7v3w6x0y1z2a */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Unknown-Params": components["headers"]["X-Unknown-Params"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "drf_01kp7a3v9w8x5y2z4b6c1d0e7g",
                     *       "deleted": true
                     *     }
                     */
                    "application/json": components["schemas"]["DraftDeleted"];
                };
            };
            400: components["responses"]["invalid_params"];
            401: components["responses"]["unauthorized"];
            402: components["responses"]["plan_required"];
            403: components["responses"]["forbidden_scope"];
            404: components["responses"]["not_found"];
            409: components["responses"]["draft_locked_or_idempotency_conflict"];
            429: components["responses"]["rate_limited_or_quota_exceeded"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["server_paused"];
            507: components["responses"]["storage_full"];
        };
    };
    updateDraft: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Required for organization keys: the email address of the team member whose mail the request concerns. If missing, the response is 400 `invalid_params`. If the address is not that of a member who accepted the invitation, it is 404 `not_found`.
                 * @example bo@example.org
                 */
                "X-On-Behalf-Of"?: components["parameters"]["OnBehalfOf"];
                /**
                 * @description `handling=strict` (RFC 7240) rejects unknown body fields and query parameters with 400 `invalid_params` before anything is changed. Otherwise they are ignored and listed in `X-Unknown-Params`.
                 * @example handling=strict
                 */
                Prefer?: components["parameters"]["Prefer"];
                /**
                 * @description A unique string of up to 255 characters. For 24 hours, a retry with the same key returns the first response instead of repeating the action.
                 * @example 6f9b2c1e-order-42
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @example drf_01jz4t9h2m8q5r7v3w6x0y1z2a */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "body": "Tomorrow at half past one?"
                 *     }
                 */
                "application/json": components["schemas"]["DraftEdit"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Unknown-Params": components["headers"]["X-Unknown-Params"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "drf_01kp7a3v9w8x5y2z4b6c1d0e7g",
                     *       "status": "draft",
                     *       "send_id": null,
                     *       "updated_at": "2026-03-02T09:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["DraftUpdated"];
                };
            };
            400: components["responses"]["invalid_params"];
            401: components["responses"]["unauthorized"];
            402: components["responses"]["plan_required"];
            403: components["responses"]["forbidden_scope"];
            404: components["responses"]["not_found"];
            409: components["responses"]["draft_locked_or_idempotency_conflict"];
            413: components["responses"]["payload_too_large"];
            429: components["responses"]["rate_limited_or_quota_exceeded"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["server_paused"];
            507: components["responses"]["storage_full"];
        };
    };
    addDraftAttachment: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Required for organization keys: the email address of the team member whose mail the request concerns. If missing, the response is 400 `invalid_params`. If the address is not that of a member who accepted the invitation, it is 404 `not_found`.
                 * @example bo@example.org
                 */
                "X-On-Behalf-Of"?: components["parameters"]["OnBehalfOf"];
                /**
                 * @description `handling=strict` (RFC 7240) rejects unknown body fields and query parameters with 400 `invalid_params` before anything is changed. Otherwise they are ignored and listed in `X-Unknown-Params`.
                 * @example handling=strict
                 */
                Prefer?: components["parameters"]["Prefer"];
                /**
                 * @description A unique string of up to 255 characters. For 24 hours, a retry with the same key returns the first response instead of repeating the action.
                 * @example 6f9b2c1e-order-42
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @example drf_01jz4t9h2m8q5r7v3w6x0y1z2a */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": {
                    /** Format: binary */
                    file: string;
                    content_id?: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Unknown-Params": components["headers"]["X-Unknown-Params"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "att_01kp7a3v9w8x5y2z4b6c1d0e7f",
                     *       "name": "menu.pdf",
                     *       "size": 48213,
                     *       "mime": "application/pdf",
                     *       "content_id": null
                     *     }
                     */
                    "application/json": components["schemas"]["DraftAttachment"];
                };
            };
            400: components["responses"]["invalid_params"];
            401: components["responses"]["unauthorized"];
            402: components["responses"]["plan_required"];
            403: components["responses"]["forbidden_scope"];
            404: components["responses"]["not_found"];
            409: components["responses"]["draft_locked_or_idempotency_conflict_or_idempotency_in_progress"];
            413: components["responses"]["payload_too_large"];
            429: components["responses"]["rate_limited_or_quota_exceeded"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["server_paused"];
            507: components["responses"]["storage_full"];
        };
    };
    removeDraftAttachment: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Required for organization keys: the email address of the team member whose mail the request concerns. If missing, the response is 400 `invalid_params`. If the address is not that of a member who accepted the invitation, it is 404 `not_found`.
                 * @example bo@example.org
                 */
                "X-On-Behalf-Of"?: components["parameters"]["OnBehalfOf"];
                /**
                 * @description `handling=strict` (RFC 7240) rejects unknown body fields and query parameters with 400 `invalid_params` before anything is changed. Otherwise they are ignored and listed in `X-Unknown-Params`.
                 * @example handling=strict
                 */
                Prefer?: components["parameters"]["Prefer"];
                /**
                 * @description A unique string of up to 255 characters. For 24 hours, a retry with the same key returns the first response instead of repeating the action.
                 * @example 6f9b2c1e-order-42
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @example drf_01jz4t9h2m8q5r7v3w6x0y1z2a */
                id: string;
                /** @example att_01jz4t9h2m8q5r7v3w6x0y1z2a */
                att_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Unknown-Params": components["headers"]["X-Unknown-Params"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "att_01kp7a3v9w8x5y2z4b6c1d0e7f",
                     *       "deleted": true
                     *     }
                     */
                    "application/json": components["schemas"]["DraftAttachmentDeleted"];
                };
            };
            400: components["responses"]["invalid_params"];
            401: components["responses"]["unauthorized"];
            402: components["responses"]["plan_required"];
            403: components["responses"]["forbidden_scope"];
            404: components["responses"]["not_found"];
            409: components["responses"]["draft_locked_or_idempotency_conflict"];
            429: components["responses"]["rate_limited_or_quota_exceeded"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["server_paused"];
            507: components["responses"]["storage_full"];
        };
    };
    sendDraft: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Required for organization keys: the email address of the team member whose mail the request concerns. If missing, the response is 400 `invalid_params`. If the address is not that of a member who accepted the invitation, it is 404 `not_found`.
                 * @example bo@example.org
                 */
                "X-On-Behalf-Of"?: components["parameters"]["OnBehalfOf"];
                /**
                 * @description `handling=strict` (RFC 7240) rejects unknown body fields and query parameters with 400 `invalid_params` before anything is changed. Otherwise they are ignored and listed in `X-Unknown-Params`.
                 * @example handling=strict
                 */
                Prefer?: components["parameters"]["Prefer"];
                /**
                 * @description A unique string of up to 255 characters. For 24 hours, a retry with the same key returns the first response instead of repeating the action.
                 * @example 6f9b2c1e-order-42
                 */
                "Idempotency-Key": string;
            };
            path: {
                /** @example drf_01jz4t9h2m8q5r7v3w6x0y1z2a */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "confirm": true,
                 *       "undo_window_s": 10
                 *     }
                 */
                "application/json": components["schemas"]["DraftSend"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Unknown-Params": components["headers"]["X-Unknown-Params"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "send_id": "snd_01kp7a3v9w8x5y2z4b6c1d0e7j",
                     *       "status": "scheduled",
                     *       "undo_until": "2026-03-02T09:00:10.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["SendScheduled"];
                };
            };
            400: components["responses"]["invalid_params"];
            401: components["responses"]["unauthorized"];
            402: components["responses"]["plan_required"];
            403: components["responses"]["forbidden_scope"];
            404: components["responses"]["not_found"];
            409: components["responses"]["draft_locked_or_idempotency_conflict"];
            413: components["responses"]["payload_too_large"];
            429: components["responses"]["rate_limited_or_quota_exceeded"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["server_paused"];
            507: components["responses"]["storage_full"];
        };
    };
    sendMessage: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Required for organization keys: the email address of the team member whose mail the request concerns. If missing, the response is 400 `invalid_params`. If the address is not that of a member who accepted the invitation, it is 404 `not_found`.
                 * @example bo@example.org
                 */
                "X-On-Behalf-Of"?: components["parameters"]["OnBehalfOf"];
                /**
                 * @description `handling=strict` (RFC 7240) rejects unknown body fields and query parameters with 400 `invalid_params` before anything is changed. Otherwise they are ignored and listed in `X-Unknown-Params`.
                 * @example handling=strict
                 */
                Prefer?: components["parameters"]["Prefer"];
                /**
                 * @description A unique string of up to 255 characters. For 24 hours, a retry with the same key returns the first response instead of repeating the action.
                 * @example 6f9b2c1e-order-42
                 */
                "Idempotency-Key": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "to": [
                 *         "maria@acme.example"
                 *       ],
                 *       "subject": "Lunch",
                 *       "body": "Tomorrow at one?",
                 *       "undo_window_s": 10
                 *     }
                 */
                "application/json": components["schemas"]["MessageSend"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Unknown-Params": components["headers"]["X-Unknown-Params"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "send_id": "snd_01kp7a3v9w8x5y2z4b6c1d0e7j",
                     *       "status": "scheduled",
                     *       "undo_until": "2026-03-02T09:00:10.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["SendScheduled"];
                };
            };
            400: components["responses"]["invalid_params"];
            401: components["responses"]["unauthorized"];
            402: components["responses"]["plan_required"];
            403: components["responses"]["forbidden_scope"];
            404: components["responses"]["not_found"];
            409: components["responses"]["idempotency_conflict"];
            413: components["responses"]["payload_too_large"];
            429: components["responses"]["rate_limited_or_quota_exceeded"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["server_paused"];
            507: components["responses"]["storage_full"];
        };
    };
    cancelSend: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Required for organization keys: the email address of the team member whose mail the request concerns. If missing, the response is 400 `invalid_params`. If the address is not that of a member who accepted the invitation, it is 404 `not_found`.
                 * @example bo@example.org
                 */
                "X-On-Behalf-Of"?: components["parameters"]["OnBehalfOf"];
                /**
                 * @description `handling=strict` (RFC 7240) rejects unknown body fields and query parameters with 400 `invalid_params` before anything is changed. Otherwise they are ignored and listed in `X-Unknown-Params`.
                 * @example handling=strict
                 */
                Prefer?: components["parameters"]["Prefer"];
                /**
                 * @description A unique string of up to 255 characters. For 24 hours, a retry with the same key returns the first response instead of repeating the action.
                 * @example 6f9b2c1e-order-42
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @example snd_01jz4t9h2m8q5r7v3w6x0y1z2a */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Unknown-Params": components["headers"]["X-Unknown-Params"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "send_id": "snd_01kp7a3v9w8x5y2z4b6c1d0e7j",
                     *       "status": "undone",
                     *       "draft_id": "drf_01kp7a3v9w8x5y2z4b6c1d0e7g"
                     *     }
                     */
                    "application/json": components["schemas"]["SendCancelled"];
                };
            };
            400: components["responses"]["invalid_params"];
            401: components["responses"]["unauthorized"];
            402: components["responses"]["plan_required"];
            403: components["responses"]["forbidden_scope"];
            404: components["responses"]["not_found"];
            409: components["responses"]["undo_window_elapsed_or_idempotency_conflict"];
            429: components["responses"]["rate_limited_or_quota_exceeded"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["server_paused"];
            507: components["responses"]["storage_full"];
        };
    };
    listSends: {
        parameters: {
            query?: {
                /** @description Page size. */
                limit?: number;
                /** @description `next_cursor` of the previous page. */
                cursor?: string;
                status?: "scheduled" | "sending" | "sent" | "failed" | "undone";
            };
            header?: {
                /**
                 * @description Required for organization keys: the email address of the team member whose mail the request concerns. If missing, the response is 400 `invalid_params`. If the address is not that of a member who accepted the invitation, it is 404 `not_found`.
                 * @example bo@example.org
                 */
                "X-On-Behalf-Of"?: components["parameters"]["OnBehalfOf"];
                /**
                 * @description `handling=strict` (RFC 7240) rejects unknown body fields and query parameters with 400 `invalid_params` before anything is changed. Otherwise they are ignored and listed in `X-Unknown-Params`.
                 * @example handling=strict
                 */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Unknown-Params": components["headers"]["X-Unknown-Params"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "send_id": "snd_01kp7a3v9w8x5y2z4b6c1d0e7j",
                     *           "status": "sent",
                     *           "undo_until": "2026-03-02T09:00:10.000Z",
                     *           "account_id": "acc_01kp7a3v9w8x5y2z4b6c1d0e7h",
                     *           "draft_id": null,
                     *           "thread_id": "thr_01kp7a3v9w8x5y2z4b6c1d0e7k",
                     *           "message_id": "msg_01kp7a3v9w8x5y2z4b6c1d0e7m",
                     *           "from": "ada@example.org",
                     *           "to": [
                     *             "maria@acme.example"
                     *           ],
                     *           "cc": [],
                     *           "bcc": [],
                     *           "subject": "Lunch",
                     *           "scheduled_at": null,
                     *           "created_at": "2026-03-02T09:00:00.000Z",
                     *           "finished_at": "2026-03-02T09:00:10.204Z",
                     *           "attempts": 1,
                     *           "next_attempt_at": null,
                     *           "reason": null,
                     *           "detail": null,
                     *           "rejected": [],
                     *           "bounced": null
                     *         }
                     *       ],
                     *       "has_more": false
                     *     }
                     */
                    "application/json": components["schemas"]["SendList"];
                };
            };
            400: components["responses"]["invalid_params"];
            401: components["responses"]["unauthorized"];
            402: components["responses"]["plan_required"];
            403: components["responses"]["forbidden_scope"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited_or_quota_exceeded"];
            500: components["responses"]["internal_error"];
            507: components["responses"]["storage_full"];
        };
    };
    getSend: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Required for organization keys: the email address of the team member whose mail the request concerns. If missing, the response is 400 `invalid_params`. If the address is not that of a member who accepted the invitation, it is 404 `not_found`.
                 * @example bo@example.org
                 */
                "X-On-Behalf-Of"?: components["parameters"]["OnBehalfOf"];
                /**
                 * @description `handling=strict` (RFC 7240) rejects unknown body fields and query parameters with 400 `invalid_params` before anything is changed. Otherwise they are ignored and listed in `X-Unknown-Params`.
                 * @example handling=strict
                 */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /** @example snd_01jz4t9h2m8q5r7v3w6x0y1z2a */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Unknown-Params": components["headers"]["X-Unknown-Params"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "send_id": "snd_01kp7a3v9w8x5y2z4b6c1d0e7j",
                     *       "status": "sent",
                     *       "undo_until": "2026-03-02T09:00:10.000Z",
                     *       "account_id": "acc_01kp7a3v9w8x5y2z4b6c1d0e7h",
                     *       "draft_id": null,
                     *       "thread_id": "thr_01kp7a3v9w8x5y2z4b6c1d0e7k",
                     *       "message_id": "msg_01kp7a3v9w8x5y2z4b6c1d0e7m",
                     *       "from": "ada@example.org",
                     *       "to": [
                     *         "maria@acme.example"
                     *       ],
                     *       "cc": [],
                     *       "bcc": [],
                     *       "subject": "Lunch",
                     *       "scheduled_at": null,
                     *       "created_at": "2026-03-02T09:00:00.000Z",
                     *       "finished_at": "2026-03-02T09:00:10.204Z",
                     *       "attempts": 1,
                     *       "next_attempt_at": null,
                     *       "reason": null,
                     *       "detail": null,
                     *       "rejected": [],
                     *       "bounced": null
                     *     }
                     */
                    "application/json": components["schemas"]["Send"];
                };
            };
            400: components["responses"]["invalid_params"];
            401: components["responses"]["unauthorized"];
            402: components["responses"]["plan_required"];
            403: components["responses"]["forbidden_scope"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited_or_quota_exceeded"];
            500: components["responses"]["internal_error"];
            507: components["responses"]["storage_full"];
        };
    };
    listContacts: {
        parameters: {
            query?: {
                /** @description Part of a name, an address or a domain. */
                q?: string;
                /** @description True: only VIPs. False: only contacts that are not VIPs. */
                vip?: boolean;
                /** @description Only contacts of this kind. If absent, `automated` contacts are listed only with `q` or `vip=true`. */
                kind?: "person" | "role" | "automated";
                /** @description Page size. */
                limit?: number;
                /** @description `next_cursor` of the previous page. */
                cursor?: string;
            };
            header?: {
                /**
                 * @description Required for organization keys: the email address of the team member whose mail the request concerns. If missing, the response is 400 `invalid_params`. If the address is not that of a member who accepted the invitation, it is 404 `not_found`.
                 * @example bo@example.org
                 */
                "X-On-Behalf-Of"?: components["parameters"]["OnBehalfOf"];
                /**
                 * @description `handling=strict` (RFC 7240) rejects unknown body fields and query parameters with 400 `invalid_params` before anything is changed. Otherwise they are ignored and listed in `X-Unknown-Params`.
                 * @example handling=strict
                 */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Unknown-Params": components["headers"]["X-Unknown-Params"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "cnt_01kk8f2v0c5s9w3n7r1m4q6t8x",
                     *           "name": "Maya Costa",
                     *           "email": "maya.costa@harbourline.example",
                     *           "emails": [
                     *             "maya.costa@harbourline.example",
                     *             "mcosta@home.example"
                     *           ],
                     *           "kind": "person",
                     *           "vip": true,
                     *           "last_contact": "2026-03-02",
                     *           "threads": 14,
                     *           "notes": "Prefers calls."
                     *         }
                     *       ],
                     *       "has_more": false
                     *     }
                     */
                    "application/json": components["schemas"]["ContactList"];
                };
            };
            400: components["responses"]["invalid_params"];
            401: components["responses"]["unauthorized"];
            402: components["responses"]["plan_required"];
            403: components["responses"]["forbidden_scope"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited_or_quota_exceeded"];
            500: components["responses"]["internal_error"];
            507: components["responses"]["storage_full"];
        };
    };
    updateContact: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Required for organization keys: the email address of the team member whose mail the request concerns. If missing, the response is 400 `invalid_params`. If the address is not that of a member who accepted the invitation, it is 404 `not_found`.
                 * @example bo@example.org
                 */
                "X-On-Behalf-Of"?: components["parameters"]["OnBehalfOf"];
                /**
                 * @description `handling=strict` (RFC 7240) rejects unknown body fields and query parameters with 400 `invalid_params` before anything is changed. Otherwise they are ignored and listed in `X-Unknown-Params`.
                 * @example handling=strict
                 */
                Prefer?: components["parameters"]["Prefer"];
                /**
                 * @description A unique string of up to 255 characters. For 24 hours, a retry with the same key returns the first response instead of repeating the action.
                 * @example 6f9b2c1e-order-42
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @example cnt_01jz4t9h2m8q5r7v3w6x0y1z2a */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "vip": true,
                 *       "notes": "Prefers calls."
                 *     }
                 */
                "application/json": components["schemas"]["ContactPatch"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Unknown-Params": components["headers"]["X-Unknown-Params"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "cnt_01kk8f2v0c5s9w3n7r1m4q6t8x",
                     *       "vip": true
                     *     }
                     */
                    "application/json": components["schemas"]["ContactPatched"];
                };
            };
            400: components["responses"]["invalid_params"];
            401: components["responses"]["unauthorized"];
            402: components["responses"]["plan_required"];
            403: components["responses"]["forbidden_scope"];
            404: components["responses"]["not_found"];
            409: components["responses"]["idempotency_conflict"];
            413: components["responses"]["payload_too_large"];
            429: components["responses"]["rate_limited_or_quota_exceeded"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["server_paused"];
            507: components["responses"]["storage_full"];
        };
    };
    importContacts: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Required for organization keys: the email address of the team member whose mail the request concerns. If missing, the response is 400 `invalid_params`. If the address is not that of a member who accepted the invitation, it is 404 `not_found`.
                 * @example bo@example.org
                 */
                "X-On-Behalf-Of"?: components["parameters"]["OnBehalfOf"];
                /**
                 * @description `handling=strict` (RFC 7240) rejects unknown body fields and query parameters with 400 `invalid_params` before anything is changed. Otherwise they are ignored and listed in `X-Unknown-Params`.
                 * @example handling=strict
                 */
                Prefer?: components["parameters"]["Prefer"];
                /**
                 * @description A unique string of up to 255 characters. For 24 hours, a retry with the same key returns the first response instead of repeating the action.
                 * @example 6f9b2c1e-order-42
                 */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": {
                    /** Format: binary */
                    file: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Unknown-Params": components["headers"]["X-Unknown-Params"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "imported": 212,
                     *       "skipped": 3
                     *     }
                     */
                    "application/json": components["schemas"]["ContactImport"];
                };
            };
            400: components["responses"]["invalid_params"];
            401: components["responses"]["unauthorized"];
            402: components["responses"]["plan_required"];
            403: components["responses"]["forbidden_scope"];
            404: components["responses"]["not_found"];
            409: components["responses"]["idempotency_conflict_or_idempotency_in_progress"];
            413: components["responses"]["payload_too_large"];
            429: components["responses"]["rate_limited_or_quota_exceeded"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["server_paused"];
            507: components["responses"]["storage_full"];
        };
    };
    listRules: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Required for organization keys: the email address of the team member whose mail the request concerns. If missing, the response is 400 `invalid_params`. If the address is not that of a member who accepted the invitation, it is 404 `not_found`.
                 * @example bo@example.org
                 */
                "X-On-Behalf-Of"?: components["parameters"]["OnBehalfOf"];
                /**
                 * @description `handling=strict` (RFC 7240) rejects unknown body fields and query parameters with 400 `invalid_params` before anything is changed. Otherwise they are ignored and listed in `X-Unknown-Params`.
                 * @example handling=strict
                 */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Unknown-Params": components["headers"]["X-Unknown-Params"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "rul_01kk8f2v0c5s9w3n7r1m4q6t8x",
                     *           "kind": "inbox",
                     *           "name": "Invoices from Harbourline",
                     *           "enabled": true,
                     *           "conditions": [
                     *             {
                     *               "field": "from_domain",
                     *               "op": "equals",
                     *               "value": "harbourline.example"
                     *             },
                     *             {
                     *               "field": "subject",
                     *               "op": "contains",
                     *               "value": "invoice"
                     *             }
                     *           ],
                     *           "actions": [
                     *             {
                     *               "type": "addLabel",
                     *               "value": "Invoices"
                     *             },
                     *             {
                     *               "type": "setCategory",
                     *               "value": "updates"
                     *             }
                     *           ],
                     *           "priority": 3,
                     *           "account_id": null,
                     *           "applying": false
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["RuleList"];
                };
            };
            400: components["responses"]["invalid_params"];
            401: components["responses"]["unauthorized"];
            402: components["responses"]["plan_required"];
            403: components["responses"]["forbidden_scope"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited_or_quota_exceeded"];
            500: components["responses"]["internal_error"];
            507: components["responses"]["storage_full"];
        };
    };
    createRule: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Required for organization keys: the email address of the team member whose mail the request concerns. If missing, the response is 400 `invalid_params`. If the address is not that of a member who accepted the invitation, it is 404 `not_found`.
                 * @example bo@example.org
                 */
                "X-On-Behalf-Of"?: components["parameters"]["OnBehalfOf"];
                /**
                 * @description `handling=strict` (RFC 7240) rejects unknown body fields and query parameters with 400 `invalid_params` before anything is changed. Otherwise they are ignored and listed in `X-Unknown-Params`.
                 * @example handling=strict
                 */
                Prefer?: components["parameters"]["Prefer"];
                /**
                 * @description A unique string of up to 255 characters. For 24 hours, a retry with the same key returns the first response instead of repeating the action.
                 * @example 6f9b2c1e-order-42
                 */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "kind": "inbox",
                 *       "name": "Invoices from Harbourline",
                 *       "conditions": [
                 *         {
                 *           "field": "from_domain",
                 *           "op": "equals",
                 *           "value": "harbourline.example"
                 *         },
                 *         {
                 *           "field": "subject",
                 *           "op": "contains",
                 *           "value": "invoice"
                 *         }
                 *       ],
                 *       "actions": [
                 *         {
                 *           "type": "addLabel",
                 *           "value": "Invoices"
                 *         },
                 *         {
                 *           "type": "setCategory",
                 *           "value": "updates"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["RuleCreate"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Unknown-Params": components["headers"]["X-Unknown-Params"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "rul_01kk8f2v0c5s9w3n7r1m4q6t8x",
                     *       "kind": "inbox",
                     *       "priority": 3
                     *     }
                     */
                    "application/json": components["schemas"]["RuleCreated"];
                };
            };
            400: components["responses"]["invalid_params"];
            401: components["responses"]["unauthorized"];
            402: components["responses"]["plan_required"];
            403: components["responses"]["forbidden_scope"];
            404: components["responses"]["not_found"];
            409: components["responses"]["idempotency_conflict"];
            413: components["responses"]["payload_too_large"];
            429: components["responses"]["rate_limited_or_quota_exceeded"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["server_paused"];
            507: components["responses"]["storage_full"];
        };
    };
    deleteRule: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Required for organization keys: the email address of the team member whose mail the request concerns. If missing, the response is 400 `invalid_params`. If the address is not that of a member who accepted the invitation, it is 404 `not_found`.
                 * @example bo@example.org
                 */
                "X-On-Behalf-Of"?: components["parameters"]["OnBehalfOf"];
                /**
                 * @description `handling=strict` (RFC 7240) rejects unknown body fields and query parameters with 400 `invalid_params` before anything is changed. Otherwise they are ignored and listed in `X-Unknown-Params`.
                 * @example handling=strict
                 */
                Prefer?: components["parameters"]["Prefer"];
                /**
                 * @description A unique string of up to 255 characters. For 24 hours, a retry with the same key returns the first response instead of repeating the action.
                 * @example 6f9b2c1e-order-42
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @example rul_01jz4t9h2m8q5r7v3w6x0y1z2a */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Unknown-Params": components["headers"]["X-Unknown-Params"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "rul_01kk8f2v0c5s9w3n7r1m4q6t8x",
                     *       "deleted": true
                     *     }
                     */
                    "application/json": components["schemas"]["RuleDeleted"];
                };
            };
            400: components["responses"]["invalid_params"];
            401: components["responses"]["unauthorized"];
            402: components["responses"]["plan_required"];
            403: components["responses"]["forbidden_scope"];
            404: components["responses"]["not_found"];
            409: components["responses"]["idempotency_conflict"];
            429: components["responses"]["rate_limited_or_quota_exceeded"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["server_paused"];
            507: components["responses"]["storage_full"];
        };
    };
    updateRule: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Required for organization keys: the email address of the team member whose mail the request concerns. If missing, the response is 400 `invalid_params`. If the address is not that of a member who accepted the invitation, it is 404 `not_found`.
                 * @example bo@example.org
                 */
                "X-On-Behalf-Of"?: components["parameters"]["OnBehalfOf"];
                /**
                 * @description `handling=strict` (RFC 7240) rejects unknown body fields and query parameters with 400 `invalid_params` before anything is changed. Otherwise they are ignored and listed in `X-Unknown-Params`.
                 * @example handling=strict
                 */
                Prefer?: components["parameters"]["Prefer"];
                /**
                 * @description A unique string of up to 255 characters. For 24 hours, a retry with the same key returns the first response instead of repeating the action.
                 * @example 6f9b2c1e-order-42
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @example rul_01jz4t9h2m8q5r7v3w6x0y1z2a */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Invoices from Harbourline",
                 *       "enabled": false
                 *     }
                 */
                "application/json": components["schemas"]["RulePatch"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Unknown-Params": components["headers"]["X-Unknown-Params"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "rul_01kk8f2v0c5s9w3n7r1m4q6t8x",
                     *       "kind": "inbox",
                     *       "name": "Invoices from Harbourline",
                     *       "enabled": false,
                     *       "conditions": [
                     *         {
                     *           "field": "from_domain",
                     *           "op": "equals",
                     *           "value": "harbourline.example"
                     *         },
                     *         {
                     *           "field": "subject",
                     *           "op": "contains",
                     *           "value": "invoice"
                     *         }
                     *       ],
                     *       "actions": [
                     *         {
                     *           "type": "addLabel",
                     *           "value": "Invoices"
                     *         },
                     *         {
                     *           "type": "setCategory",
                     *           "value": "updates"
                     *         }
                     *       ],
                     *       "priority": 3,
                     *       "account_id": null,
                     *       "applying": false
                     *     }
                     */
                    "application/json": components["schemas"]["Rule"];
                };
            };
            400: components["responses"]["invalid_params"];
            401: components["responses"]["unauthorized"];
            402: components["responses"]["plan_required"];
            403: components["responses"]["forbidden_scope"];
            404: components["responses"]["not_found"];
            409: components["responses"]["idempotency_conflict"];
            413: components["responses"]["payload_too_large"];
            429: components["responses"]["rate_limited_or_quota_exceeded"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["server_paused"];
            507: components["responses"]["storage_full"];
        };
    };
    reorderRules: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Required for organization keys: the email address of the team member whose mail the request concerns. If missing, the response is 400 `invalid_params`. If the address is not that of a member who accepted the invitation, it is 404 `not_found`.
                 * @example bo@example.org
                 */
                "X-On-Behalf-Of"?: components["parameters"]["OnBehalfOf"];
                /**
                 * @description `handling=strict` (RFC 7240) rejects unknown body fields and query parameters with 400 `invalid_params` before anything is changed. Otherwise they are ignored and listed in `X-Unknown-Params`.
                 * @example handling=strict
                 */
                Prefer?: components["parameters"]["Prefer"];
                /**
                 * @description A unique string of up to 255 characters. For 24 hours, a retry with the same key returns the first response instead of repeating the action.
                 * @example 6f9b2c1e-order-42
                 */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "ids": [
                 *         "rul_01kk8f2v0c5s9w3n7r1m4q6t8x"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["RuleOrder"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Unknown-Params": components["headers"]["X-Unknown-Params"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "rul_01kk8f2v0c5s9w3n7r1m4q6t8x",
                     *           "kind": "inbox",
                     *           "name": "Invoices from Harbourline",
                     *           "enabled": true,
                     *           "conditions": [
                     *             {
                     *               "field": "from_domain",
                     *               "op": "equals",
                     *               "value": "harbourline.example"
                     *             },
                     *             {
                     *               "field": "subject",
                     *               "op": "contains",
                     *               "value": "invoice"
                     *             }
                     *           ],
                     *           "actions": [
                     *             {
                     *               "type": "addLabel",
                     *               "value": "Invoices"
                     *             },
                     *             {
                     *               "type": "setCategory",
                     *               "value": "updates"
                     *             }
                     *           ],
                     *           "priority": 1,
                     *           "account_id": null,
                     *           "applying": false
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["RuleList"];
                };
            };
            400: components["responses"]["invalid_params"];
            401: components["responses"]["unauthorized"];
            402: components["responses"]["plan_required"];
            403: components["responses"]["forbidden_scope"];
            404: components["responses"]["not_found"];
            409: components["responses"]["idempotency_conflict"];
            413: components["responses"]["payload_too_large"];
            429: components["responses"]["rate_limited_or_quota_exceeded"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["server_paused"];
            507: components["responses"]["storage_full"];
        };
    };
    previewRule: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Required for organization keys: the email address of the team member whose mail the request concerns. If missing, the response is 400 `invalid_params`. If the address is not that of a member who accepted the invitation, it is 404 `not_found`.
                 * @example bo@example.org
                 */
                "X-On-Behalf-Of"?: components["parameters"]["OnBehalfOf"];
                /**
                 * @description `handling=strict` (RFC 7240) rejects unknown body fields and query parameters with 400 `invalid_params` before anything is changed. Otherwise they are ignored and listed in `X-Unknown-Params`.
                 * @example handling=strict
                 */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "kind": "inbox",
                 *       "conditions": [
                 *         {
                 *           "field": "from_domain",
                 *           "op": "equals",
                 *           "value": "harbourline.example"
                 *         },
                 *         {
                 *           "field": "subject",
                 *           "op": "contains",
                 *           "value": "invoice"
                 *         }
                 *       ],
                 *       "actions": [
                 *         {
                 *           "type": "addLabel",
                 *           "value": "Invoices"
                 *         },
                 *         {
                 *           "type": "setCategory",
                 *           "value": "updates"
                 *         }
                 *       ],
                 *       "days": 30,
                 *       "examples": 10
                 *     }
                 */
                "application/json": components["schemas"]["RulePreviewRequest"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Unknown-Params": components["headers"]["X-Unknown-Params"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "scanned": 1204,
                     *       "matched": 6,
                     *       "changed": 5,
                     *       "actions": {
                     *         "addLabel": 5,
                     *         "setCategory": 4
                     *       },
                     *       "examples": [
                     *         {
                     *           "message_id": "msg_01kk8f2v0c5s9w3n7r1m4q6t8x",
                     *           "thread_id": "thr_01kk8f2v0c5s9w3n7r1m4q6t8y",
                     *           "from": "maya@harbourline.example",
                     *           "subject": "Invoice 1042",
                     *           "date": "2026-03-02T09:00:00.000Z",
                     *           "actions": [
                     *             {
                     *               "type": "addLabel",
                     *               "value": "Invoices"
                     *             }
                     *           ]
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["RulePreview"];
                };
            };
            400: components["responses"]["invalid_params"];
            401: components["responses"]["unauthorized"];
            402: components["responses"]["plan_required"];
            403: components["responses"]["forbidden_scope"];
            404: components["responses"]["not_found"];
            413: components["responses"]["payload_too_large"];
            429: components["responses"]["rate_limited_or_quota_exceeded"];
            500: components["responses"]["internal_error"];
            507: components["responses"]["storage_full"];
        };
    };
    getRuleProgress: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Required for organization keys: the email address of the team member whose mail the request concerns. If missing, the response is 400 `invalid_params`. If the address is not that of a member who accepted the invitation, it is 404 `not_found`.
                 * @example bo@example.org
                 */
                "X-On-Behalf-Of"?: components["parameters"]["OnBehalfOf"];
                /**
                 * @description `handling=strict` (RFC 7240) rejects unknown body fields and query parameters with 400 `invalid_params` before anything is changed. Otherwise they are ignored and listed in `X-Unknown-Params`.
                 * @example handling=strict
                 */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /** @example rul_01jz4t9h2m8q5r7v3w6x0y1z2a */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Unknown-Params": components["headers"]["X-Unknown-Params"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "rul_01kk8f2v0c5s9w3n7r1m4q6t8x",
                     *       "state": "done",
                     *       "done": 48211,
                     *       "total": 48211,
                     *       "matched": 190,
                     *       "changed": 187,
                     *       "started_at": "2026-03-02T09:00:00.000Z",
                     *       "finished_at": "2026-03-02T09:00:21.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["RuleProgress"];
                };
            };
            400: components["responses"]["invalid_params"];
            401: components["responses"]["unauthorized"];
            402: components["responses"]["plan_required"];
            403: components["responses"]["forbidden_scope"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited_or_quota_exceeded"];
            500: components["responses"]["internal_error"];
            507: components["responses"]["storage_full"];
        };
    };
    applyRule: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Required for organization keys: the email address of the team member whose mail the request concerns. If missing, the response is 400 `invalid_params`. If the address is not that of a member who accepted the invitation, it is 404 `not_found`.
                 * @example bo@example.org
                 */
                "X-On-Behalf-Of"?: components["parameters"]["OnBehalfOf"];
                /**
                 * @description `handling=strict` (RFC 7240) rejects unknown body fields and query parameters with 400 `invalid_params` before anything is changed. Otherwise they are ignored and listed in `X-Unknown-Params`.
                 * @example handling=strict
                 */
                Prefer?: components["parameters"]["Prefer"];
                /**
                 * @description A unique string of up to 255 characters. For 24 hours, a retry with the same key returns the first response instead of repeating the action.
                 * @example 6f9b2c1e-order-42
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @example rul_01jz4t9h2m8q5r7v3w6x0y1z2a */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "days": 365
                 *     }
                 */
                "application/json": components["schemas"]["RuleApply"];
            };
        };
        responses: {
            /** @description Success. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Unknown-Params": components["headers"]["X-Unknown-Params"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "rul_01kk8f2v0c5s9w3n7r1m4q6t8x",
                     *       "state": "running",
                     *       "done": 0,
                     *       "total": 48211,
                     *       "matched": 190,
                     *       "changed": 187,
                     *       "started_at": "2026-03-02T09:00:00.000Z",
                     *       "finished_at": null
                     *     }
                     */
                    "application/json": components["schemas"]["RuleProgress"];
                };
            };
            400: components["responses"]["invalid_params"];
            401: components["responses"]["unauthorized"];
            402: components["responses"]["plan_required"];
            403: components["responses"]["forbidden_scope"];
            404: components["responses"]["not_found"];
            409: components["responses"]["idempotency_conflict"];
            413: components["responses"]["payload_too_large"];
            429: components["responses"]["rate_limited_or_quota_exceeded"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["server_paused"];
            507: components["responses"]["storage_full"];
        };
    };
    listContextProfiles: {
        parameters: {
            query?: {
                /** @description Page size. */
                limit?: number;
                /** @description `next_cursor` of the previous page. */
                cursor?: string;
            };
            header?: {
                /**
                 * @description Required for organization keys: the email address of the team member whose mail the request concerns. If missing, the response is 400 `invalid_params`. If the address is not that of a member who accepted the invitation, it is 404 `not_found`.
                 * @example bo@example.org
                 */
                "X-On-Behalf-Of"?: components["parameters"]["OnBehalfOf"];
                /**
                 * @description `handling=strict` (RFC 7240) rejects unknown body fields and query parameters with 400 `invalid_params` before anything is changed. Otherwise they are ignored and listed in `X-Unknown-Params`.
                 * @example handling=strict
                 */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Unknown-Params": components["headers"]["X-Unknown-Params"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "ctx_01kk8f2v0c5s9w3n7r1m4q6t8x",
                     *           "domain": "harbourline.example",
                     *           "name": "Harbourline",
                     *           "updated_at": "2026-03-02T09:00:00.000Z"
                     *         }
                     *       ],
                     *       "has_more": false
                     *     }
                     */
                    "application/json": components["schemas"]["ContextProfileList"];
                };
            };
            400: components["responses"]["invalid_params"];
            401: components["responses"]["unauthorized"];
            402: components["responses"]["plan_required"];
            403: components["responses"]["forbidden_scope"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited_or_quota_exceeded"];
            500: components["responses"]["internal_error"];
            507: components["responses"]["storage_full"];
        };
    };
    createContextProfile: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Required for organization keys: the email address of the team member whose mail the request concerns. If missing, the response is 400 `invalid_params`. If the address is not that of a member who accepted the invitation, it is 404 `not_found`.
                 * @example bo@example.org
                 */
                "X-On-Behalf-Of"?: components["parameters"]["OnBehalfOf"];
                /**
                 * @description `handling=strict` (RFC 7240) rejects unknown body fields and query parameters with 400 `invalid_params` before anything is changed. Otherwise they are ignored and listed in `X-Unknown-Params`.
                 * @example handling=strict
                 */
                Prefer?: components["parameters"]["Prefer"];
                /**
                 * @description A unique string of up to 255 characters. For 24 hours, a retry with the same key returns the first response instead of repeating the action.
                 * @example 6f9b2c1e-order-42
                 */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "domain": "harbourline.example",
                 *       "name": "Harbourline",
                 *       "set": {
                 *         "client.name": "Harbourline",
                 *         "tone": "warm"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["ContextProfileCreate"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Unknown-Params": components["headers"]["X-Unknown-Params"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "ctx_01kk8f2v0c5s9w3n7r1m4q6t8x",
                     *       "domain": "harbourline.example",
                     *       "name": "Harbourline",
                     *       "updated_at": "2026-03-02T09:00:00.000Z",
                     *       "summary": "Ferry operator; we do their booking site.",
                     *       "variables": {
                     *         "client.name": "Harbourline",
                     *         "tone": "warm"
                     *       },
                     *       "notes": [
                     *         {
                     *           "at": "2026-02-11T14:30:00.000Z",
                     *           "text": "Budget is decided in April."
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ContextProfile"];
                };
            };
            400: components["responses"]["invalid_params"];
            401: components["responses"]["unauthorized"];
            402: components["responses"]["plan_required"];
            403: components["responses"]["forbidden_scope"];
            404: components["responses"]["not_found"];
            409: components["responses"]["idempotency_conflict"];
            413: components["responses"]["payload_too_large"];
            429: components["responses"]["rate_limited_or_quota_exceeded"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["server_paused"];
            507: components["responses"]["storage_full"];
        };
    };
    getContextProfile: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Required for organization keys: the email address of the team member whose mail the request concerns. If missing, the response is 400 `invalid_params`. If the address is not that of a member who accepted the invitation, it is 404 `not_found`.
                 * @example bo@example.org
                 */
                "X-On-Behalf-Of"?: components["parameters"]["OnBehalfOf"];
                /**
                 * @description `handling=strict` (RFC 7240) rejects unknown body fields and query parameters with 400 `invalid_params` before anything is changed. Otherwise they are ignored and listed in `X-Unknown-Params`.
                 * @example handling=strict
                 */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /** @example ctx_01jz4t9h2m8q5r7v3w6x0y1z2a */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Unknown-Params": components["headers"]["X-Unknown-Params"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "ctx_01kk8f2v0c5s9w3n7r1m4q6t8x",
                     *       "domain": "harbourline.example",
                     *       "name": "Harbourline",
                     *       "updated_at": "2026-03-02T09:00:00.000Z",
                     *       "summary": "Ferry operator; we do their booking site.",
                     *       "variables": {
                     *         "client.name": "Harbourline",
                     *         "tone": "warm"
                     *       },
                     *       "notes": [
                     *         {
                     *           "at": "2026-02-11T14:30:00.000Z",
                     *           "text": "Budget is decided in April."
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ContextProfile"];
                };
            };
            400: components["responses"]["invalid_params"];
            401: components["responses"]["unauthorized"];
            402: components["responses"]["plan_required"];
            403: components["responses"]["forbidden_scope"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited_or_quota_exceeded"];
            500: components["responses"]["internal_error"];
            507: components["responses"]["storage_full"];
        };
    };
    deleteContextProfile: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Required for organization keys: the email address of the team member whose mail the request concerns. If missing, the response is 400 `invalid_params`. If the address is not that of a member who accepted the invitation, it is 404 `not_found`.
                 * @example bo@example.org
                 */
                "X-On-Behalf-Of"?: components["parameters"]["OnBehalfOf"];
                /**
                 * @description `handling=strict` (RFC 7240) rejects unknown body fields and query parameters with 400 `invalid_params` before anything is changed. Otherwise they are ignored and listed in `X-Unknown-Params`.
                 * @example handling=strict
                 */
                Prefer?: components["parameters"]["Prefer"];
                /**
                 * @description A unique string of up to 255 characters. For 24 hours, a retry with the same key returns the first response instead of repeating the action.
                 * @example 6f9b2c1e-order-42
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @example ctx_01jz4t9h2m8q5r7v3w6x0y1z2a */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Unknown-Params": components["headers"]["X-Unknown-Params"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "ctx_01kk8f2v0c5s9w3n7r1m4q6t8x",
                     *       "deleted": true
                     *     }
                     */
                    "application/json": components["schemas"]["ContextProfileDeleted"];
                };
            };
            400: components["responses"]["invalid_params"];
            401: components["responses"]["unauthorized"];
            402: components["responses"]["plan_required"];
            403: components["responses"]["forbidden_scope"];
            404: components["responses"]["not_found"];
            409: components["responses"]["idempotency_conflict"];
            429: components["responses"]["rate_limited_or_quota_exceeded"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["server_paused"];
            507: components["responses"]["storage_full"];
        };
    };
    updateContextProfile: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Required for organization keys: the email address of the team member whose mail the request concerns. If missing, the response is 400 `invalid_params`. If the address is not that of a member who accepted the invitation, it is 404 `not_found`.
                 * @example bo@example.org
                 */
                "X-On-Behalf-Of"?: components["parameters"]["OnBehalfOf"];
                /**
                 * @description `handling=strict` (RFC 7240) rejects unknown body fields and query parameters with 400 `invalid_params` before anything is changed. Otherwise they are ignored and listed in `X-Unknown-Params`.
                 * @example handling=strict
                 */
                Prefer?: components["parameters"]["Prefer"];
                /**
                 * @description A unique string of up to 255 characters. For 24 hours, a retry with the same key returns the first response instead of repeating the action.
                 * @example 6f9b2c1e-order-42
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @example ctx_01jz4t9h2m8q5r7v3w6x0y1z2a */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "set": {
                 *         "tone": "formal"
                 *       },
                 *       "append_note": "Moves to Lisbon in May."
                 *     }
                 */
                "application/json": components["schemas"]["ContextProfilePatch"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Unknown-Params": components["headers"]["X-Unknown-Params"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "ctx_01kk8f2v0c5s9w3n7r1m4q6t8x",
                     *       "updated_keys": [
                     *         "tone"
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ContextProfilePatched"];
                };
            };
            400: components["responses"]["invalid_params"];
            401: components["responses"]["unauthorized"];
            402: components["responses"]["plan_required"];
            403: components["responses"]["forbidden_scope"];
            404: components["responses"]["not_found"];
            409: components["responses"]["idempotency_conflict"];
            413: components["responses"]["payload_too_large"];
            429: components["responses"]["rate_limited_or_quota_exceeded"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["server_paused"];
            507: components["responses"]["storage_full"];
        };
    };
    listContextVariables: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Required for organization keys: the email address of the team member whose mail the request concerns. If missing, the response is 400 `invalid_params`. If the address is not that of a member who accepted the invitation, it is 404 `not_found`.
                 * @example bo@example.org
                 */
                "X-On-Behalf-Of"?: components["parameters"]["OnBehalfOf"];
                /**
                 * @description `handling=strict` (RFC 7240) rejects unknown body fields and query parameters with 400 `invalid_params` before anything is changed. Otherwise they are ignored and listed in `X-Unknown-Params`.
                 * @example handling=strict
                 */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Unknown-Params": components["headers"]["X-Unknown-Params"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "key": "signature",
                     *           "value": "Best regards, Alex",
                     *           "type": "string",
                     *           "updated_at": "2026-03-02T09:00:00.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ContextVariableList"];
                };
            };
            400: components["responses"]["invalid_params"];
            401: components["responses"]["unauthorized"];
            402: components["responses"]["plan_required"];
            403: components["responses"]["forbidden_scope"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited_or_quota_exceeded"];
            500: components["responses"]["internal_error"];
            507: components["responses"]["storage_full"];
        };
    };
    setContextVariable: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Required for organization keys: the email address of the team member whose mail the request concerns. If missing, the response is 400 `invalid_params`. If the address is not that of a member who accepted the invitation, it is 404 `not_found`.
                 * @example bo@example.org
                 */
                "X-On-Behalf-Of"?: components["parameters"]["OnBehalfOf"];
                /**
                 * @description `handling=strict` (RFC 7240) rejects unknown body fields and query parameters with 400 `invalid_params` before anything is changed. Otherwise they are ignored and listed in `X-Unknown-Params`.
                 * @example handling=strict
                 */
                Prefer?: components["parameters"]["Prefer"];
                /**
                 * @description A unique string of up to 255 characters. For 24 hours, a retry with the same key returns the first response instead of repeating the action.
                 * @example 6f9b2c1e-order-42
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                key: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "value": "Best regards, Alex",
                 *       "type": "string"
                 *     }
                 */
                "application/json": components["schemas"]["ContextVariablePut"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Unknown-Params": components["headers"]["X-Unknown-Params"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "key": "signature",
                     *       "value": "Best regards, Alex",
                     *       "type": "string",
                     *       "updated_at": "2026-03-02T09:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["ContextVariable"];
                };
            };
            400: components["responses"]["invalid_params"];
            401: components["responses"]["unauthorized"];
            402: components["responses"]["plan_required"];
            403: components["responses"]["forbidden_scope"];
            404: components["responses"]["not_found"];
            409: components["responses"]["idempotency_conflict"];
            413: components["responses"]["payload_too_large"];
            429: components["responses"]["rate_limited_or_quota_exceeded"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["server_paused"];
            507: components["responses"]["storage_full"];
        };
    };
    deleteContextVariable: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Required for organization keys: the email address of the team member whose mail the request concerns. If missing, the response is 400 `invalid_params`. If the address is not that of a member who accepted the invitation, it is 404 `not_found`.
                 * @example bo@example.org
                 */
                "X-On-Behalf-Of"?: components["parameters"]["OnBehalfOf"];
                /**
                 * @description `handling=strict` (RFC 7240) rejects unknown body fields and query parameters with 400 `invalid_params` before anything is changed. Otherwise they are ignored and listed in `X-Unknown-Params`.
                 * @example handling=strict
                 */
                Prefer?: components["parameters"]["Prefer"];
                /**
                 * @description A unique string of up to 255 characters. For 24 hours, a retry with the same key returns the first response instead of repeating the action.
                 * @example 6f9b2c1e-order-42
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Unknown-Params": components["headers"]["X-Unknown-Params"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "key": "signature",
                     *       "deleted": true
                     *     }
                     */
                    "application/json": components["schemas"]["ContextVariableDeleted"];
                };
            };
            400: components["responses"]["invalid_params"];
            401: components["responses"]["unauthorized"];
            402: components["responses"]["plan_required"];
            403: components["responses"]["forbidden_scope"];
            404: components["responses"]["not_found"];
            409: components["responses"]["idempotency_conflict"];
            429: components["responses"]["rate_limited_or_quota_exceeded"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["server_paused"];
            507: components["responses"]["storage_full"];
        };
    };
    listContextFiles: {
        parameters: {
            query?: {
                /** @description Only files of this profile. */
                profile_id?: string;
                /** @description Page size. */
                limit?: number;
                /** @description `next_cursor` of the previous page. */
                cursor?: string;
            };
            header?: {
                /**
                 * @description Required for organization keys: the email address of the team member whose mail the request concerns. If missing, the response is 400 `invalid_params`. If the address is not that of a member who accepted the invitation, it is 404 `not_found`.
                 * @example bo@example.org
                 */
                "X-On-Behalf-Of"?: components["parameters"]["OnBehalfOf"];
                /**
                 * @description `handling=strict` (RFC 7240) rejects unknown body fields and query parameters with 400 `invalid_params` before anything is changed. Otherwise they are ignored and listed in `X-Unknown-Params`.
                 * @example handling=strict
                 */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Unknown-Params": components["headers"]["X-Unknown-Params"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "ctf_01kk8f2v0c5s9w3n7r1m4q6t8x",
                     *           "name": "rates-2026.pdf",
                     *           "mime": "application/pdf",
                     *           "bytes": 48211,
                     *           "profile_id": "ctx_01kk8f2v0c5s9w3n7r1m4q6t8x",
                     *           "has_text": true,
                     *           "created_at": "2026-03-02T09:00:00.000Z"
                     *         }
                     *       ],
                     *       "has_more": false
                     *     }
                     */
                    "application/json": components["schemas"]["ContextFileList"];
                };
            };
            400: components["responses"]["invalid_params"];
            401: components["responses"]["unauthorized"];
            402: components["responses"]["plan_required"];
            403: components["responses"]["forbidden_scope"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited_or_quota_exceeded"];
            500: components["responses"]["internal_error"];
            507: components["responses"]["storage_full"];
        };
    };
    addContextFile: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Required for organization keys: the email address of the team member whose mail the request concerns. If missing, the response is 400 `invalid_params`. If the address is not that of a member who accepted the invitation, it is 404 `not_found`.
                 * @example bo@example.org
                 */
                "X-On-Behalf-Of"?: components["parameters"]["OnBehalfOf"];
                /**
                 * @description `handling=strict` (RFC 7240) rejects unknown body fields and query parameters with 400 `invalid_params` before anything is changed. Otherwise they are ignored and listed in `X-Unknown-Params`.
                 * @example handling=strict
                 */
                Prefer?: components["parameters"]["Prefer"];
                /**
                 * @description A unique string of up to 255 characters. For 24 hours, a retry with the same key returns the first response instead of repeating the action.
                 * @example 6f9b2c1e-order-42
                 */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": {
                    /** Format: binary */
                    file: string;
                    profile_id?: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Unknown-Params": components["headers"]["X-Unknown-Params"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "ctf_01kk8f2v0c5s9w3n7r1m4q6t8x",
                     *       "name": "rates-2026.pdf",
                     *       "mime": "application/pdf",
                     *       "bytes": 48211,
                     *       "profile_id": "ctx_01kk8f2v0c5s9w3n7r1m4q6t8x",
                     *       "has_text": true,
                     *       "created_at": "2026-03-02T09:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["ContextFile"];
                };
            };
            400: components["responses"]["invalid_params"];
            401: components["responses"]["unauthorized"];
            402: components["responses"]["plan_required"];
            403: components["responses"]["forbidden_scope"];
            404: components["responses"]["not_found"];
            409: components["responses"]["idempotency_conflict_or_idempotency_in_progress"];
            413: components["responses"]["payload_too_large"];
            429: components["responses"]["rate_limited_or_quota_exceeded"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["server_paused"];
            507: components["responses"]["storage_full"];
        };
    };
    getContextFileContent: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Required for organization keys: the email address of the team member whose mail the request concerns. If missing, the response is 400 `invalid_params`. If the address is not that of a member who accepted the invitation, it is 404 `not_found`.
                 * @example bo@example.org
                 */
                "X-On-Behalf-Of"?: components["parameters"]["OnBehalfOf"];
                /**
                 * @description `handling=strict` (RFC 7240) rejects unknown body fields and query parameters with 400 `invalid_params` before anything is changed. Otherwise they are ignored and listed in `X-Unknown-Params`.
                 * @example handling=strict
                 */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /** @example ctf_01jz4t9h2m8q5r7v3w6x0y1z2a */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Unknown-Params": components["headers"]["X-Unknown-Params"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    [name: string]: unknown;
                };
                content: {
                    "*/*": string;
                };
            };
            400: components["responses"]["invalid_params"];
            401: components["responses"]["unauthorized"];
            402: components["responses"]["plan_required"];
            403: components["responses"]["forbidden_scope"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited_or_quota_exceeded"];
            500: components["responses"]["internal_error"];
            507: components["responses"]["storage_full"];
        };
    };
    deleteContextFile: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Required for organization keys: the email address of the team member whose mail the request concerns. If missing, the response is 400 `invalid_params`. If the address is not that of a member who accepted the invitation, it is 404 `not_found`.
                 * @example bo@example.org
                 */
                "X-On-Behalf-Of"?: components["parameters"]["OnBehalfOf"];
                /**
                 * @description `handling=strict` (RFC 7240) rejects unknown body fields and query parameters with 400 `invalid_params` before anything is changed. Otherwise they are ignored and listed in `X-Unknown-Params`.
                 * @example handling=strict
                 */
                Prefer?: components["parameters"]["Prefer"];
                /**
                 * @description A unique string of up to 255 characters. For 24 hours, a retry with the same key returns the first response instead of repeating the action.
                 * @example 6f9b2c1e-order-42
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @example ctf_01jz4t9h2m8q5r7v3w6x0y1z2a */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Unknown-Params": components["headers"]["X-Unknown-Params"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "ctf_01kk8f2v0c5s9w3n7r1m4q6t8x",
                     *       "deleted": true
                     *     }
                     */
                    "application/json": components["schemas"]["ContextFileDeleted"];
                };
            };
            400: components["responses"]["invalid_params"];
            401: components["responses"]["unauthorized"];
            402: components["responses"]["plan_required"];
            403: components["responses"]["forbidden_scope"];
            404: components["responses"]["not_found"];
            409: components["responses"]["idempotency_conflict"];
            429: components["responses"]["rate_limited_or_quota_exceeded"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["server_paused"];
            507: components["responses"]["storage_full"];
        };
    };
    listCalendarEvents: {
        parameters: {
            query: {
                /** @description Start of the window, inclusive. */
                from: string;
                /** @description End of the window, exclusive. At most 800 days after `from`. */
                to: string;
            };
            header?: {
                /**
                 * @description Required for organization keys: the email address of the team member whose mail the request concerns. If missing, the response is 400 `invalid_params`. If the address is not that of a member who accepted the invitation, it is 404 `not_found`.
                 * @example bo@example.org
                 */
                "X-On-Behalf-Of"?: components["parameters"]["OnBehalfOf"];
                /**
                 * @description `handling=strict` (RFC 7240) rejects unknown body fields and query parameters with 400 `invalid_params` before anything is changed. Otherwise they are ignored and listed in `X-Unknown-Params`.
                 * @example handling=strict
                 */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Unknown-Params": components["headers"]["X-Unknown-Params"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "evt_01kk8f2v0c5s9w3n7r1m4q6t8x",
                     *           "title": "Quarterly review",
                     *           "start": "2026-03-04T13:00:00.000Z",
                     *           "end": "2026-03-04T14:00:00.000Z",
                     *           "all_day": false,
                     *           "attendees": [
                     *             "maya@harbourline.example"
                     *           ],
                     *           "status": "confirmed",
                     *           "location": "Room 4",
                     *           "description": "",
                     *           "organizer": "alex@example.com",
                     *           "answers": [
                     *             {
                     *               "name": "",
                     *               "email": "maya@harbourline.example",
                     *               "status": "needs_action"
                     *             }
                     *           ],
                     *           "recurrence_id": null,
                     *           "calendar_id": null
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["CalendarEventList"];
                };
            };
            400: components["responses"]["invalid_params"];
            401: components["responses"]["unauthorized"];
            402: components["responses"]["plan_required"];
            403: components["responses"]["forbidden_scope"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited_or_quota_exceeded"];
            500: components["responses"]["internal_error"];
            507: components["responses"]["storage_full"];
        };
    };
    createCalendarEvent: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Required for organization keys: the email address of the team member whose mail the request concerns. If missing, the response is 400 `invalid_params`. If the address is not that of a member who accepted the invitation, it is 404 `not_found`.
                 * @example bo@example.org
                 */
                "X-On-Behalf-Of"?: components["parameters"]["OnBehalfOf"];
                /**
                 * @description `handling=strict` (RFC 7240) rejects unknown body fields and query parameters with 400 `invalid_params` before anything is changed. Otherwise they are ignored and listed in `X-Unknown-Params`.
                 * @example handling=strict
                 */
                Prefer?: components["parameters"]["Prefer"];
                /**
                 * @description A unique string of up to 255 characters. For 24 hours, a retry with the same key returns the first response instead of repeating the action.
                 * @example 6f9b2c1e-order-42
                 */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "title": "Quarterly review",
                 *       "start": "2026-03-04T13:00:00.000Z",
                 *       "end": "2026-03-04T14:00:00.000Z",
                 *       "attendees": [
                 *         "maya@harbourline.example"
                 *       ],
                 *       "all_day": false,
                 *       "location": "Room 4",
                 *       "description": ""
                 *     }
                 */
                "application/json": components["schemas"]["CalendarEventCreate"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Unknown-Params": components["headers"]["X-Unknown-Params"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "evt_01kk8f2v0c5s9w3n7r1m4q6t8x",
                     *       "status": "confirmed"
                     *     }
                     */
                    "application/json": components["schemas"]["CalendarEventCreated"];
                };
            };
            400: components["responses"]["invalid_params"];
            401: components["responses"]["unauthorized"];
            402: components["responses"]["plan_required"];
            403: components["responses"]["forbidden_scope"];
            404: components["responses"]["not_found"];
            409: components["responses"]["idempotency_conflict"];
            413: components["responses"]["payload_too_large"];
            429: components["responses"]["rate_limited_or_quota_exceeded"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["server_paused"];
            507: components["responses"]["storage_full"];
        };
    };
    deleteCalendarEvent: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Required for organization keys: the email address of the team member whose mail the request concerns. If missing, the response is 400 `invalid_params`. If the address is not that of a member who accepted the invitation, it is 404 `not_found`.
                 * @example bo@example.org
                 */
                "X-On-Behalf-Of"?: components["parameters"]["OnBehalfOf"];
                /**
                 * @description `handling=strict` (RFC 7240) rejects unknown body fields and query parameters with 400 `invalid_params` before anything is changed. Otherwise they are ignored and listed in `X-Unknown-Params`.
                 * @example handling=strict
                 */
                Prefer?: components["parameters"]["Prefer"];
                /**
                 * @description A unique string of up to 255 characters. For 24 hours, a retry with the same key returns the first response instead of repeating the action.
                 * @example 6f9b2c1e-order-42
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @example evt_01jz4t9h2m8q5r7v3w6x0y1z2a */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Unknown-Params": components["headers"]["X-Unknown-Params"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "evt_01kk8f2v0c5s9w3n7r1m4q6t8x",
                     *       "deleted": true
                     *     }
                     */
                    "application/json": components["schemas"]["CalendarEventDeleted"];
                };
            };
            400: components["responses"]["invalid_params"];
            401: components["responses"]["unauthorized"];
            402: components["responses"]["plan_required"];
            403: components["responses"]["forbidden_scope"];
            404: components["responses"]["not_found"];
            409: components["responses"]["idempotency_conflict"];
            429: components["responses"]["rate_limited_or_quota_exceeded"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["server_paused"];
            507: components["responses"]["storage_full"];
        };
    };
    listEvents: {
        parameters: {
            query?: {
                /** @description Page size. */
                limit?: number;
                /** @description `cursor` of an earlier page, or `latest` for new events only. If absent, the list starts at the oldest stored event. */
                after?: string;
                /** @description Only these events, separated by commas. */
                types?: string;
            };
            header?: {
                /**
                 * @description Required for organization keys: the email address of the team member whose mail the request concerns. If missing, the response is 400 `invalid_params`. If the address is not that of a member who accepted the invitation, it is 404 `not_found`.
                 * @example bo@example.org
                 */
                "X-On-Behalf-Of"?: components["parameters"]["OnBehalfOf"];
                /**
                 * @description `handling=strict` (RFC 7240) rejects unknown body fields and query parameters with 400 `invalid_params` before anything is changed. Otherwise they are ignored and listed in `X-Unknown-Params`.
                 * @example handling=strict
                 */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Unknown-Params": components["headers"]["X-Unknown-Params"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "ntf_01jz4t9h2m8q5r7v3w6x0y1z2a",
                     *           "event": "thread.updated",
                     *           "created_at": "2026-03-02T09:00:00.000Z",
                     *           "data": {
                     *             "thread_id": "thr_01jz4t7k9m8n7p6q5r4s3t2v1w",
                     *             "changed": [
                     *               "state"
                     *             ]
                     *           }
                     *         }
                     *       ],
                     *       "has_more": false,
                     *       "cursor": "AZx0Jd3v…"
                     *     }
                     */
                    "application/json": components["schemas"]["EventList"];
                };
            };
            400: components["responses"]["invalid_params"];
            401: components["responses"]["unauthorized"];
            402: components["responses"]["plan_required"];
            403: components["responses"]["forbidden_scope"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited_or_quota_exceeded"];
            500: components["responses"]["internal_error"];
            507: components["responses"]["storage_full"];
        };
    };
    listWebhooks: {
        parameters: {
            query?: {
                /** @description Page size. */
                limit?: number;
                /** @description `next_cursor` of the previous page. */
                cursor?: string;
                status?: "active" | "disabled";
            };
            header?: {
                /**
                 * @description Required for organization keys: the email address of the team member whose mail the request concerns. If missing, the response is 400 `invalid_params`. If the address is not that of a member who accepted the invitation, it is 404 `not_found`.
                 * @example bo@example.org
                 */
                "X-On-Behalf-Of"?: components["parameters"]["OnBehalfOf"];
                /**
                 * @description `handling=strict` (RFC 7240) rejects unknown body fields and query parameters with 400 `invalid_params` before anything is changed. Otherwise they are ignored and listed in `X-Unknown-Params`.
                 * @example handling=strict
                 */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Unknown-Params": components["headers"]["X-Unknown-Params"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "whk_01jz4t9h2m8q5r7v3w6x0y1z2a",
                     *           "url": "https://hooks.example.org/postroom",
                     *           "events": [
                     *             "message.received",
                     *             "thread.updated"
                     *           ],
                     *           "status": "active",
                     *           "failure_count": 0,
                     *           "last_failure_at": null,
                     *           "disabled_at": null,
                     *           "created_at": "2026-03-02T09:00:00.000Z",
                     *           "updated_at": "2026-03-02T09:00:00.000Z"
                     *         }
                     *       ],
                     *       "has_more": false,
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookList"];
                };
            };
            400: components["responses"]["invalid_params"];
            401: components["responses"]["unauthorized"];
            402: components["responses"]["plan_required"];
            403: components["responses"]["forbidden_scope"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited_or_quota_exceeded"];
            500: components["responses"]["internal_error"];
            507: components["responses"]["storage_full"];
        };
    };
    createWebhook: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Required for organization keys: the email address of the team member whose mail the request concerns. If missing, the response is 400 `invalid_params`. If the address is not that of a member who accepted the invitation, it is 404 `not_found`.
                 * @example bo@example.org
                 */
                "X-On-Behalf-Of"?: components["parameters"]["OnBehalfOf"];
                /**
                 * @description `handling=strict` (RFC 7240) rejects unknown body fields and query parameters with 400 `invalid_params` before anything is changed. Otherwise they are ignored and listed in `X-Unknown-Params`.
                 * @example handling=strict
                 */
                Prefer?: components["parameters"]["Prefer"];
                /**
                 * @description A unique string of up to 255 characters. For 24 hours, a retry with the same key returns the first response instead of repeating the action.
                 * @example 6f9b2c1e-order-42
                 */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "url": "https://hooks.example.org/postroom",
                 *       "events": [
                 *         "message.received",
                 *         "thread.updated"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["NewWebhookEndpoint"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Unknown-Params": components["headers"]["X-Unknown-Params"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "whk_01jz4t9h2m8q5r7v3w6x0y1z2a",
                     *         "url": "https://hooks.example.org/postroom",
                     *         "events": [
                     *           "message.received",
                     *           "thread.updated"
                     *         ],
                     *         "status": "active",
                     *         "failure_count": 0,
                     *         "last_failure_at": null,
                     *         "disabled_at": null,
                     *         "created_at": "2026-03-02T09:00:00.000Z",
                     *         "updated_at": "2026-03-02T09:00:00.000Z",
                     *         "secret": "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD7nYhZ5aVqm4="
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookCreated"];
                };
            };
            400: components["responses"]["invalid_params"];
            401: components["responses"]["unauthorized"];
            402: components["responses"]["plan_required"];
            403: components["responses"]["forbidden_scope"];
            404: components["responses"]["not_found"];
            409: components["responses"]["idempotency_conflict"];
            413: components["responses"]["payload_too_large"];
            429: components["responses"]["rate_limited_or_quota_exceeded"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["server_paused"];
            507: components["responses"]["storage_full"];
        };
    };
    getWebhook: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Required for organization keys: the email address of the team member whose mail the request concerns. If missing, the response is 400 `invalid_params`. If the address is not that of a member who accepted the invitation, it is 404 `not_found`.
                 * @example bo@example.org
                 */
                "X-On-Behalf-Of"?: components["parameters"]["OnBehalfOf"];
                /**
                 * @description `handling=strict` (RFC 7240) rejects unknown body fields and query parameters with 400 `invalid_params` before anything is changed. Otherwise they are ignored and listed in `X-Unknown-Params`.
                 * @example handling=strict
                 */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /** @example whk_01jz4t9h2m8q5r7v3w6x0y1z2a */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Unknown-Params": components["headers"]["X-Unknown-Params"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "whk_01jz4t9h2m8q5r7v3w6x0y1z2a",
                     *         "url": "https://hooks.example.org/postroom",
                     *         "events": [
                     *           "message.received",
                     *           "thread.updated"
                     *         ],
                     *         "status": "active",
                     *         "failure_count": 0,
                     *         "last_failure_at": null,
                     *         "disabled_at": null,
                     *         "created_at": "2026-03-02T09:00:00.000Z",
                     *         "updated_at": "2026-03-02T09:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookReply"];
                };
            };
            400: components["responses"]["invalid_params"];
            401: components["responses"]["unauthorized"];
            402: components["responses"]["plan_required"];
            403: components["responses"]["forbidden_scope"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited_or_quota_exceeded"];
            500: components["responses"]["internal_error"];
            507: components["responses"]["storage_full"];
        };
    };
    deleteWebhook: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Required for organization keys: the email address of the team member whose mail the request concerns. If missing, the response is 400 `invalid_params`. If the address is not that of a member who accepted the invitation, it is 404 `not_found`.
                 * @example bo@example.org
                 */
                "X-On-Behalf-Of"?: components["parameters"]["OnBehalfOf"];
                /**
                 * @description `handling=strict` (RFC 7240) rejects unknown body fields and query parameters with 400 `invalid_params` before anything is changed. Otherwise they are ignored and listed in `X-Unknown-Params`.
                 * @example handling=strict
                 */
                Prefer?: components["parameters"]["Prefer"];
                /**
                 * @description A unique string of up to 255 characters. For 24 hours, a retry with the same key returns the first response instead of repeating the action.
                 * @example 6f9b2c1e-order-42
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @example whk_01jz4t9h2m8q5r7v3w6x0y1z2a */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success; no body. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Unknown-Params": components["headers"]["X-Unknown-Params"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["invalid_params"];
            401: components["responses"]["unauthorized"];
            402: components["responses"]["plan_required"];
            403: components["responses"]["forbidden_scope"];
            404: components["responses"]["not_found"];
            409: components["responses"]["idempotency_conflict"];
            429: components["responses"]["rate_limited_or_quota_exceeded"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["server_paused"];
            507: components["responses"]["storage_full"];
        };
    };
    updateWebhook: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Required for organization keys: the email address of the team member whose mail the request concerns. If missing, the response is 400 `invalid_params`. If the address is not that of a member who accepted the invitation, it is 404 `not_found`.
                 * @example bo@example.org
                 */
                "X-On-Behalf-Of"?: components["parameters"]["OnBehalfOf"];
                /**
                 * @description `handling=strict` (RFC 7240) rejects unknown body fields and query parameters with 400 `invalid_params` before anything is changed. Otherwise they are ignored and listed in `X-Unknown-Params`.
                 * @example handling=strict
                 */
                Prefer?: components["parameters"]["Prefer"];
                /**
                 * @description A unique string of up to 255 characters. For 24 hours, a retry with the same key returns the first response instead of repeating the action.
                 * @example 6f9b2c1e-order-42
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @example whk_01jz4t9h2m8q5r7v3w6x0y1z2a */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "status": "active"
                 *     }
                 */
                "application/json": components["schemas"]["WebhookPatch"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Unknown-Params": components["headers"]["X-Unknown-Params"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "whk_01jz4t9h2m8q5r7v3w6x0y1z2a",
                     *         "events": [
                     *           "message.received",
                     *           "thread.updated"
                     *         ],
                     *         "status": "active",
                     *         "failure_count": 0
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookUpdated"];
                };
            };
            400: components["responses"]["invalid_params"];
            401: components["responses"]["unauthorized"];
            402: components["responses"]["plan_required"];
            403: components["responses"]["forbidden_scope"];
            404: components["responses"]["not_found"];
            409: components["responses"]["idempotency_conflict"];
            413: components["responses"]["payload_too_large"];
            429: components["responses"]["rate_limited_or_quota_exceeded"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["server_paused"];
            507: components["responses"]["storage_full"];
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Required for organization keys: the email address of the team member whose mail the request concerns. If missing, the response is 400 `invalid_params`. If the address is not that of a member who accepted the invitation, it is 404 `not_found`.
                 * @example bo@example.org
                 */
                "X-On-Behalf-Of"?: components["parameters"]["OnBehalfOf"];
                /**
                 * @description `handling=strict` (RFC 7240) rejects unknown body fields and query parameters with 400 `invalid_params` before anything is changed. Otherwise they are ignored and listed in `X-Unknown-Params`.
                 * @example handling=strict
                 */
                Prefer?: components["parameters"]["Prefer"];
                /**
                 * @description A unique string of up to 255 characters. For 24 hours, a retry with the same key returns the first response instead of repeating the action.
                 * @example 6f9b2c1e-order-42
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @example whk_01jz4t9h2m8q5r7v3w6x0y1z2a */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Unknown-Params": components["headers"]["X-Unknown-Params"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "whk_01jz4t9h2m8q5r7v3w6x0y1z2a",
                     *         "status": "active",
                     *         "secret": "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD7nYhZ5aVqm4="
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookRotated"];
                };
            };
            400: components["responses"]["invalid_params"];
            401: components["responses"]["unauthorized"];
            402: components["responses"]["plan_required"];
            403: components["responses"]["forbidden_scope"];
            404: components["responses"]["not_found"];
            409: components["responses"]["idempotency_conflict"];
            429: components["responses"]["rate_limited_or_quota_exceeded"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["server_paused"];
            507: components["responses"]["storage_full"];
        };
    };
    listWebhookDeliveries: {
        parameters: {
            query?: {
                /** @description Page size. */
                limit?: number;
                /** @description `next_cursor` of the previous page. */
                cursor?: string;
                status?: "pending" | "delivered" | "failed";
            };
            header?: {
                /**
                 * @description Required for organization keys: the email address of the team member whose mail the request concerns. If missing, the response is 400 `invalid_params`. If the address is not that of a member who accepted the invitation, it is 404 `not_found`.
                 * @example bo@example.org
                 */
                "X-On-Behalf-Of"?: components["parameters"]["OnBehalfOf"];
                /**
                 * @description `handling=strict` (RFC 7240) rejects unknown body fields and query parameters with 400 `invalid_params` before anything is changed. Otherwise they are ignored and listed in `X-Unknown-Params`.
                 * @example handling=strict
                 */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /** @example whk_01jz4t9h2m8q5r7v3w6x0y1z2a */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Unknown-Params": components["headers"]["X-Unknown-Params"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "dlv_01jz4t9h2m8q5r7v3w6x0y1z2b",
                     *           "event_id": "ntf_01jz4t9h2m8q5r7v3w6x0y1z2c",
                     *           "event": "message.received",
                     *           "status": "pending",
                     *           "attempt_count": 1,
                     *           "last_attempt": {
                     *             "attempt": 1,
                     *             "at": "2026-03-02T09:05:00.020Z",
                     *             "duration_ms": 84,
                     *             "response_status": 500,
                     *             "error": "the receiver answered 500"
                     *           },
                     *           "next_attempt_at": "2026-03-02T09:05:05.104Z",
                     *           "created_at": "2026-03-02T09:05:00.010Z",
                     *           "finished_at": null
                     *         }
                     *       ],
                     *       "has_more": false
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookDeliveryList"];
                };
            };
            400: components["responses"]["invalid_params"];
            401: components["responses"]["unauthorized"];
            402: components["responses"]["plan_required"];
            403: components["responses"]["forbidden_scope"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited_or_quota_exceeded"];
            500: components["responses"]["internal_error"];
            507: components["responses"]["storage_full"];
        };
    };
    getWebhookDelivery: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Required for organization keys: the email address of the team member whose mail the request concerns. If missing, the response is 400 `invalid_params`. If the address is not that of a member who accepted the invitation, it is 404 `not_found`.
                 * @example bo@example.org
                 */
                "X-On-Behalf-Of"?: components["parameters"]["OnBehalfOf"];
                /**
                 * @description `handling=strict` (RFC 7240) rejects unknown body fields and query parameters with 400 `invalid_params` before anything is changed. Otherwise they are ignored and listed in `X-Unknown-Params`.
                 * @example handling=strict
                 */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /** @example whk_01jz4t9h2m8q5r7v3w6x0y1z2a */
                id: string;
                /** @example dlv_01jz4t9h2m8q5r7v3w6x0y1z2a */
                delivery_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Unknown-Params": components["headers"]["X-Unknown-Params"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "dlv_01jz4t9h2m8q5r7v3w6x0y1z2b",
                     *         "event_id": "ntf_01jz4t9h2m8q5r7v3w6x0y1z2c",
                     *         "event": "message.received",
                     *         "status": "pending",
                     *         "attempt_count": 1,
                     *         "last_attempt": {
                     *           "attempt": 1,
                     *           "at": "2026-03-02T09:05:00.020Z",
                     *           "duration_ms": 84,
                     *           "response_status": 500,
                     *           "error": "the receiver answered 500"
                     *         },
                     *         "next_attempt_at": "2026-03-02T09:05:05.104Z",
                     *         "created_at": "2026-03-02T09:05:00.010Z",
                     *         "finished_at": null,
                     *         "attempts": [
                     *           {
                     *             "attempt": 1,
                     *             "at": "2026-03-02T09:05:00.020Z",
                     *             "duration_ms": 84,
                     *             "response_status": 500,
                     *             "error": "the receiver answered 500",
                     *             "response_headers": {
                     *               "content-type": "text/plain"
                     *             },
                     *             "response_body": "out of memory"
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookDeliveryDetail"];
                };
            };
            400: components["responses"]["invalid_params"];
            401: components["responses"]["unauthorized"];
            402: components["responses"]["plan_required"];
            403: components["responses"]["forbidden_scope"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited_or_quota_exceeded"];
            500: components["responses"]["internal_error"];
            507: components["responses"]["storage_full"];
        };
    };
    redeliverWebhook: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Required for organization keys: the email address of the team member whose mail the request concerns. If missing, the response is 400 `invalid_params`. If the address is not that of a member who accepted the invitation, it is 404 `not_found`.
                 * @example bo@example.org
                 */
                "X-On-Behalf-Of"?: components["parameters"]["OnBehalfOf"];
                /**
                 * @description `handling=strict` (RFC 7240) rejects unknown body fields and query parameters with 400 `invalid_params` before anything is changed. Otherwise they are ignored and listed in `X-Unknown-Params`.
                 * @example handling=strict
                 */
                Prefer?: components["parameters"]["Prefer"];
                /**
                 * @description A unique string of up to 255 characters. For 24 hours, a retry with the same key returns the first response instead of repeating the action.
                 * @example 6f9b2c1e-order-42
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @example whk_01jz4t9h2m8q5r7v3w6x0y1z2a */
                id: string;
                /** @example dlv_01jz4t9h2m8q5r7v3w6x0y1z2a */
                delivery_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Unknown-Params": components["headers"]["X-Unknown-Params"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "dlv_01jz4t9h2m8q5r7v3w6x0y1z2b",
                     *         "event_id": "ntf_01jz4t9h2m8q5r7v3w6x0y1z2c",
                     *         "event": "message.received",
                     *         "status": "pending",
                     *         "attempt_count": 1,
                     *         "last_attempt": {
                     *           "attempt": 1,
                     *           "at": "2026-03-02T09:05:00.020Z",
                     *           "duration_ms": 84,
                     *           "response_status": 500,
                     *           "error": "the receiver answered 500"
                     *         },
                     *         "next_attempt_at": "2026-03-02T09:05:05.104Z",
                     *         "created_at": "2026-03-02T09:05:00.010Z",
                     *         "finished_at": null
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookDeliveryReply"];
                };
            };
            400: components["responses"]["invalid_params"];
            401: components["responses"]["unauthorized"];
            402: components["responses"]["plan_required"];
            403: components["responses"]["forbidden_scope"];
            404: components["responses"]["not_found"];
            409: components["responses"]["idempotency_conflict"];
            429: components["responses"]["rate_limited_or_quota_exceeded"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["server_paused"];
            507: components["responses"]["storage_full"];
        };
    };
    getLatestBrief: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Required for organization keys: the email address of the team member whose mail the request concerns. If missing, the response is 400 `invalid_params`. If the address is not that of a member who accepted the invitation, it is 404 `not_found`.
                 * @example bo@example.org
                 */
                "X-On-Behalf-Of"?: components["parameters"]["OnBehalfOf"];
                /**
                 * @description `handling=strict` (RFC 7240) rejects unknown body fields and query parameters with 400 `invalid_params` before anything is changed. Otherwise they are ignored and listed in `X-Unknown-Params`.
                 * @example handling=strict
                 */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Unknown-Params": components["headers"]["X-Unknown-Params"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "date": "2026-03-02",
                     *       "needs_reply": [
                     *         {
                     *           "thread_id": "thr_01jz4t9h2m8q5r7v3w6x0y1z2a",
                     *           "from": {
                     *             "name": "Maria Silva",
                     *             "email": "maria@acme.example"
                     *           },
                     *           "why": "Asked 2 days ago: “Could you send me the signed contract?”, due on Friday.",
                     *           "subject": "Contract",
                     *           "asked_at": "2026-02-28T10:12:00.000Z",
                     *           "due": "2026-03-06",
                     *           "vip": true,
                     *           "message_id": "msg_01jz4t9h2m8q5r7v3w6x0y1z2b",
                     *           "quote": "Could you send me the signed contract?",
                     *           "start": 24,
                     *           "end": 62
                     *         }
                     *       ],
                     *       "commitments": [
                     *         {
                     *           "thread_id": "thr_01jz4t9h2m8q5r7v3w6x0y1z2c",
                     *           "promise": "I'll send you the slides by Wednesday.",
                     *           "due": "2026-03-04",
                     *           "by": "me",
                     *           "with": {
                     *             "name": "Bob",
                     *             "email": "bob@example.net"
                     *           },
                     *           "said_at": "2026-03-01T17:40:00.000Z",
                     *           "overdue": false,
                     *           "message_id": "msg_01jz4t9h2m8q5r7v3w6x0y1z2d",
                     *           "quote": "I'll send you the slides by Wednesday.",
                     *           "start": 11,
                     *           "end": 49
                     *         }
                     *       ],
                     *       "undated": [],
                     *       "calendar": [
                     *         {
                     *           "title": "Team meeting",
                     *           "start": "2026-03-02T13:00:00.000Z",
                     *           "event_id": "evt_01jz4t9h2m8q5r7v3w6x0y1z2g",
                     *           "thread_id": "thr_01jz4t9h2m8q5r7v3w6x0y1z2h"
                     *         }
                     *       ],
                     *       "engine": "extractive",
                     *       "generated_at": "2026-03-02T07:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Brief"];
                };
            };
            400: components["responses"]["invalid_params"];
            401: components["responses"]["unauthorized"];
            402: components["responses"]["plan_required"];
            403: components["responses"]["forbidden_scope"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited_or_quota_exceeded"];
            500: components["responses"]["internal_error"];
            507: components["responses"]["storage_full"];
        };
    };
    generateBrief: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Required for organization keys: the email address of the team member whose mail the request concerns. If missing, the response is 400 `invalid_params`. If the address is not that of a member who accepted the invitation, it is 404 `not_found`.
                 * @example bo@example.org
                 */
                "X-On-Behalf-Of"?: components["parameters"]["OnBehalfOf"];
                /**
                 * @description `handling=strict` (RFC 7240) rejects unknown body fields and query parameters with 400 `invalid_params` before anything is changed. Otherwise they are ignored and listed in `X-Unknown-Params`.
                 * @example handling=strict
                 */
                Prefer?: components["parameters"]["Prefer"];
                /**
                 * @description A unique string of up to 255 characters. For 24 hours, a retry with the same key returns the first response instead of repeating the action.
                 * @example 6f9b2c1e-order-42
                 */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Unknown-Params": components["headers"]["X-Unknown-Params"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "date": "2026-03-02",
                     *       "status": "ready",
                     *       "credits_spent": 3
                     *     }
                     */
                    "application/json": components["schemas"]["BriefGenerated"];
                };
            };
            400: components["responses"]["invalid_params"];
            401: components["responses"]["unauthorized"];
            402: components["responses"]["insufficient_credits_or_plan_required"];
            403: components["responses"]["forbidden_scope"];
            404: components["responses"]["not_found"];
            409: components["responses"]["idempotency_conflict_or_idempotency_in_progress"];
            429: components["responses"]["rate_limited_or_quota_exceeded"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["server_paused"];
            507: components["responses"]["storage_full"];
        };
    };
    getBriefSettings: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Required for organization keys: the email address of the team member whose mail the request concerns. If missing, the response is 400 `invalid_params`. If the address is not that of a member who accepted the invitation, it is 404 `not_found`.
                 * @example bo@example.org
                 */
                "X-On-Behalf-Of"?: components["parameters"]["OnBehalfOf"];
                /**
                 * @description `handling=strict` (RFC 7240) rejects unknown body fields and query parameters with 400 `invalid_params` before anything is changed. Otherwise they are ignored and listed in `X-Unknown-Params`.
                 * @example handling=strict
                 */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Unknown-Params": components["headers"]["X-Unknown-Params"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "daily": true,
                     *       "time": "07:00",
                     *       "timezone": "Europe/Lisbon",
                     *       "mail": false
                     *     }
                     */
                    "application/json": components["schemas"]["BriefSettings"];
                };
            };
            400: components["responses"]["invalid_params"];
            401: components["responses"]["unauthorized"];
            402: components["responses"]["plan_required"];
            403: components["responses"]["forbidden_scope"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited_or_quota_exceeded"];
            500: components["responses"]["internal_error"];
            507: components["responses"]["storage_full"];
        };
    };
    updateBriefSettings: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Required for organization keys: the email address of the team member whose mail the request concerns. If missing, the response is 400 `invalid_params`. If the address is not that of a member who accepted the invitation, it is 404 `not_found`.
                 * @example bo@example.org
                 */
                "X-On-Behalf-Of"?: components["parameters"]["OnBehalfOf"];
                /**
                 * @description `handling=strict` (RFC 7240) rejects unknown body fields and query parameters with 400 `invalid_params` before anything is changed. Otherwise they are ignored and listed in `X-Unknown-Params`.
                 * @example handling=strict
                 */
                Prefer?: components["parameters"]["Prefer"];
                /**
                 * @description A unique string of up to 255 characters. For 24 hours, a retry with the same key returns the first response instead of repeating the action.
                 * @example 6f9b2c1e-order-42
                 */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "time": "06:30"
                 *     }
                 */
                "application/json": components["schemas"]["BriefSettingsPatch"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Unknown-Params": components["headers"]["X-Unknown-Params"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "daily": true,
                     *       "time": "06:30",
                     *       "timezone": "Europe/Lisbon",
                     *       "mail": false
                     *     }
                     */
                    "application/json": components["schemas"]["BriefSettings"];
                };
            };
            400: components["responses"]["invalid_params"];
            401: components["responses"]["unauthorized"];
            402: components["responses"]["plan_required"];
            403: components["responses"]["forbidden_scope"];
            404: components["responses"]["not_found"];
            409: components["responses"]["idempotency_conflict"];
            413: components["responses"]["payload_too_large"];
            429: components["responses"]["rate_limited_or_quota_exceeded"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["server_paused"];
            507: components["responses"]["storage_full"];
        };
    };
    askInbox: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Required for organization keys: the email address of the team member whose mail the request concerns. If missing, the response is 400 `invalid_params`. If the address is not that of a member who accepted the invitation, it is 404 `not_found`.
                 * @example bo@example.org
                 */
                "X-On-Behalf-Of"?: components["parameters"]["OnBehalfOf"];
                /**
                 * @description `handling=strict` (RFC 7240) rejects unknown body fields and query parameters with 400 `invalid_params` before anything is changed. Otherwise they are ignored and listed in `X-Unknown-Params`.
                 * @example handling=strict
                 */
                Prefer?: components["parameters"]["Prefer"];
                /**
                 * @description A unique string of up to 255 characters. For 24 hours, a retry with the same key returns the first response instead of repeating the action.
                 * @example 6f9b2c1e-order-42
                 */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "question": "When does the contract with Acme end?"
                 *     }
                 */
                "application/json": components["schemas"]["Question"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Unknown-Params": components["headers"]["X-Unknown-Params"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "answered": true,
                     *       "confidence": 0.91,
                     *       "answer": "30 June 2026.\nMaria Silva on 2 March 2026: “The contract ends on 30 June 2026.”",
                     *       "citations": [
                     *         {
                     *           "message_id": "msg_01jz4t9h2m8q5r7v3w6x0y1z2b",
                     *           "thread_id": "thr_01jz4t9h2m8q5r7v3w6x0y1z2a",
                     *           "quote": "The contract ends on 30 June 2026.",
                     *           "start": 41,
                     *           "end": 75
                     *         }
                     *       ],
                     *       "possible": [],
                     *       "replaced": [],
                     *       "fallback": null,
                     *       "credits_spent": 1,
                     *       "engine": "extractive"
                     *     }
                     */
                    "application/json": components["schemas"]["Answer"];
                };
            };
            400: components["responses"]["invalid_params"];
            401: components["responses"]["unauthorized"];
            402: components["responses"]["insufficient_credits_or_plan_required"];
            403: components["responses"]["forbidden_scope"];
            404: components["responses"]["not_found"];
            409: components["responses"]["idempotency_conflict_or_idempotency_in_progress"];
            413: components["responses"]["payload_too_large"];
            429: components["responses"]["rate_limited_or_quota_exceeded"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["server_paused"];
            507: components["responses"]["storage_full"];
        };
    };
    summarizeThread: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Required for organization keys: the email address of the team member whose mail the request concerns. If missing, the response is 400 `invalid_params`. If the address is not that of a member who accepted the invitation, it is 404 `not_found`.
                 * @example bo@example.org
                 */
                "X-On-Behalf-Of"?: components["parameters"]["OnBehalfOf"];
                /**
                 * @description `handling=strict` (RFC 7240) rejects unknown body fields and query parameters with 400 `invalid_params` before anything is changed. Otherwise they are ignored and listed in `X-Unknown-Params`.
                 * @example handling=strict
                 */
                Prefer?: components["parameters"]["Prefer"];
                /**
                 * @description A unique string of up to 255 characters. For 24 hours, a retry with the same key returns the first response instead of repeating the action.
                 * @example 6f9b2c1e-order-42
                 */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "thread_id": "thr_01jz4t9h2m8q5r7v3w6x0y1z2a"
                 *     }
                 */
                "application/json": components["schemas"]["ThreadChoice"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Unknown-Params": components["headers"]["X-Unknown-Params"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "thread_id": "thr_01jz4t9h2m8q5r7v3w6x0y1z2a",
                     *       "summary": "Maria Silva: The contract ends on 30 June 2026.",
                     *       "points": [
                     *         {
                     *           "text": "Maria Silva: The contract ends on 30 June 2026.",
                     *           "citation": {
                     *             "message_id": "msg_01jz4t9h2m8q5r7v3w6x0y1z2b",
                     *             "thread_id": "thr_01jz4t9h2m8q5r7v3w6x0y1z2a",
                     *             "quote": "The contract ends on 30 June 2026.",
                     *             "start": 41,
                     *             "end": 75
                     *           }
                     *         }
                     *       ],
                     *       "fallback": null,
                     *       "credits_spent": 1,
                     *       "engine": "extractive"
                     *     }
                     */
                    "application/json": components["schemas"]["Summary"];
                };
            };
            400: components["responses"]["invalid_params"];
            401: components["responses"]["unauthorized"];
            402: components["responses"]["insufficient_credits_or_plan_required"];
            403: components["responses"]["forbidden_scope"];
            404: components["responses"]["not_found"];
            409: components["responses"]["idempotency_conflict_or_idempotency_in_progress"];
            413: components["responses"]["payload_too_large"];
            429: components["responses"]["rate_limited_or_quota_exceeded"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["server_paused"];
            507: components["responses"]["storage_full"];
        };
    };
    extractFromThread: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Required for organization keys: the email address of the team member whose mail the request concerns. If missing, the response is 400 `invalid_params`. If the address is not that of a member who accepted the invitation, it is 404 `not_found`.
                 * @example bo@example.org
                 */
                "X-On-Behalf-Of"?: components["parameters"]["OnBehalfOf"];
                /**
                 * @description `handling=strict` (RFC 7240) rejects unknown body fields and query parameters with 400 `invalid_params` before anything is changed. Otherwise they are ignored and listed in `X-Unknown-Params`.
                 * @example handling=strict
                 */
                Prefer?: components["parameters"]["Prefer"];
                /**
                 * @description A unique string of up to 255 characters. For 24 hours, a retry with the same key returns the first response instead of repeating the action.
                 * @example 6f9b2c1e-order-42
                 */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "thread_id": "thr_01jz4t9h2m8q5r7v3w6x0y1z2a"
                 *     }
                 */
                "application/json": components["schemas"]["ThreadChoice"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Unknown-Params": components["headers"]["X-Unknown-Params"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "thread_id": "thr_01jz4t9h2m8q5r7v3w6x0y1z2a",
                     *       "commitments": [
                     *         {
                     *           "message_id": "msg_01jz4t9h2m8q5r7v3w6x0y1z2b",
                     *           "thread_id": "thr_01jz4t9h2m8q5r7v3w6x0y1z2a",
                     *           "quote": "I'll send it by Friday.",
                     *           "start": 80,
                     *           "end": 103,
                     *           "by": "them",
                     *           "due": "2026-03-06",
                     *           "kept": false,
                     *           "said_at": "2026-03-02T09:00:00.000Z"
                     *         }
                     *       ],
                     *       "dates": [
                     *         {
                     *           "message_id": "msg_01jz4t9h2m8q5r7v3w6x0y1z2b",
                     *           "thread_id": "thr_01jz4t9h2m8q5r7v3w6x0y1z2a",
                     *           "quote": "30 June 2026",
                     *           "start": 62,
                     *           "end": 74,
                     *           "date": "2026-06-30"
                     *         }
                     *       ],
                     *       "asks": [
                     *         {
                     *           "message_id": "msg_01jz4t9h2m8q5r7v3w6x0y1z2b",
                     *           "thread_id": "thr_01jz4t9h2m8q5r7v3w6x0y1z2a",
                     *           "quote": "Could you sign it?",
                     *           "start": 110,
                     *           "end": 128,
                     *           "kind": "question",
                     *           "from": {
                     *             "name": "Maria Silva",
                     *             "email": "maria@acme.example"
                     *           },
                     *           "due": null
                     *         }
                     *       ],
                     *       "decisions": [
                     *         {
                     *           "message_id": "msg_01jz4t9h2m8q5r7v3w6x0y1z2b",
                     *           "thread_id": "thr_01jz4t9h2m8q5r7v3w6x0y1z2a",
                     *           "quote": "We agreed on two years.",
                     *           "start": 140,
                     *           "end": 163
                     *         }
                     *       ],
                     *       "amounts": [
                     *         {
                     *           "message_id": "msg_01jz4t9h2m8q5r7v3w6x0y1z2b",
                     *           "thread_id": "thr_01jz4t9h2m8q5r7v3w6x0y1z2a",
                     *           "quote": "€1,200",
                     *           "start": 180,
                     *           "end": 186,
                     *           "currency": "EUR",
                     *           "value": 1200
                     *         }
                     *       ],
                     *       "credits_spent": 1,
                     *       "engine": "extractive"
                     *     }
                     */
                    "application/json": components["schemas"]["Extraction"];
                };
            };
            400: components["responses"]["invalid_params"];
            401: components["responses"]["unauthorized"];
            402: components["responses"]["insufficient_credits_or_plan_required"];
            403: components["responses"]["forbidden_scope"];
            404: components["responses"]["not_found"];
            409: components["responses"]["idempotency_conflict_or_idempotency_in_progress"];
            413: components["responses"]["payload_too_large"];
            429: components["responses"]["rate_limited_or_quota_exceeded"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["server_paused"];
            507: components["responses"]["storage_full"];
        };
    };
    getAiEngine: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Required for organization keys: the email address of the team member whose mail the request concerns. If missing, the response is 400 `invalid_params`. If the address is not that of a member who accepted the invitation, it is 404 `not_found`.
                 * @example bo@example.org
                 */
                "X-On-Behalf-Of"?: components["parameters"]["OnBehalfOf"];
                /**
                 * @description `handling=strict` (RFC 7240) rejects unknown body fields and query parameters with 400 `invalid_params` before anything is changed. Otherwise they are ignored and listed in `X-Unknown-Params`.
                 * @example handling=strict
                 */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Unknown-Params": components["headers"]["X-Unknown-Params"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "engine": "local",
                     *       "model": "qwen2.5:7b",
                     *       "host": "127.0.0.1:11434",
                     *       "problem": null,
                     *       "found": [
                     *         {
                     *           "kind": "ollama",
                     *           "base_url": "http://127.0.0.1:11434/v1",
                     *           "models": [
                     *             "qwen2.5:7b"
                     *           ]
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["EngineStatus"];
                };
            };
            400: components["responses"]["invalid_params"];
            401: components["responses"]["unauthorized"];
            402: components["responses"]["plan_required"];
            403: components["responses"]["forbidden_scope"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited_or_quota_exceeded"];
            500: components["responses"]["internal_error"];
            507: components["responses"]["storage_full"];
        };
    };
    listModelCalls: {
        parameters: {
            query?: {
                /** @description Page size. */
                limit?: number;
                /** @description `next_cursor` of the previous page. */
                cursor?: string;
            };
            header?: {
                /**
                 * @description Required for organization keys: the email address of the team member whose mail the request concerns. If missing, the response is 400 `invalid_params`. If the address is not that of a member who accepted the invitation, it is 404 `not_found`.
                 * @example bo@example.org
                 */
                "X-On-Behalf-Of"?: components["parameters"]["OnBehalfOf"];
                /**
                 * @description `handling=strict` (RFC 7240) rejects unknown body fields and query parameters with 400 `invalid_params` before anything is changed. Otherwise they are ignored and listed in `X-Unknown-Params`.
                 * @example handling=strict
                 */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Unknown-Params": components["headers"]["X-Unknown-Params"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "at": "2026-03-02T09:00:00.000Z",
                     *           "purpose": "draft",
                     *           "host": "127.0.0.1:11434",
                     *           "model": "qwen2.5:7b",
                     *           "bytes_out": 4312,
                     *           "bytes_in": 988,
                     *           "message_ids": [
                     *             "msg_01jz4t9h2m8q5r7v3w6x0y1z2b"
                     *           ],
                     *           "result": "ok"
                     *         }
                     *       ],
                     *       "has_more": false
                     *     }
                     */
                    "application/json": components["schemas"]["ModelCallList"];
                };
            };
            400: components["responses"]["invalid_params"];
            401: components["responses"]["unauthorized"];
            402: components["responses"]["plan_required"];
            403: components["responses"]["forbidden_scope"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited_or_quota_exceeded"];
            500: components["responses"]["internal_error"];
            507: components["responses"]["storage_full"];
        };
    };
    runAgent: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Required for organization keys: the email address of the team member whose mail the request concerns. If missing, the response is 400 `invalid_params`. If the address is not that of a member who accepted the invitation, it is 404 `not_found`.
                 * @example bo@example.org
                 */
                "X-On-Behalf-Of"?: components["parameters"]["OnBehalfOf"];
                /**
                 * @description `handling=strict` (RFC 7240) rejects unknown body fields and query parameters with 400 `invalid_params` before anything is changed. Otherwise they are ignored and listed in `X-Unknown-Params`.
                 * @example handling=strict
                 */
                Prefer?: components["parameters"]["Prefer"];
                /**
                 * @description A unique string of up to 255 characters. For 24 hours, a retry with the same key returns the first response instead of repeating the action.
                 * @example 6f9b2c1e-order-42
                 */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Unknown-Params": components["headers"]["X-Unknown-Params"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "looked_at": 12,
                     *       "actions": [
                     *         {
                     *           "id": "agt_01jz4t9h2m8q5r7v3w6x0y1z2a",
                     *           "thread_id": "thr_01jz4t9h2m8q5r7v3w6x0y1z2b",
                     *           "message_id": "msg_01jz4t9h2m8q5r7v3w6x0y1z2c",
                     *           "subject": "Contract for the spring campaign",
                     *           "from": {
                     *             "name": "Maya Costa",
                     *             "email": "maya@harbourline.example"
                     *           },
                     *           "action": "triaged",
                     *           "mode": "autopilot",
                     *           "state": "done",
                     *           "reason": "The sender asks something that has not been answered yet.",
                     *           "engine": null,
                     *           "draft_id": null,
                     *           "changes": {
                     *             "labels": [
                     *               "Needs reply"
                     *             ],
                     *             "category": null,
                     *             "archived": false
                     *           },
                     *           "evidence": {
                     *             "message_id": "msg_01jz4t9h2m8q5r7v3w6x0y1z2c",
                     *             "quote": "Could you sign it?",
                     *             "start": 9,
                     *             "end": 27
                     *           },
                     *           "created_at": "2026-03-02T09:00:00.000Z",
                     *           "undo": {
                     *             "method": "POST",
                     *             "path": "/agent/actions/agt_01jz4t9h2m8q5r7v3w6x0y1z2a/undo"
                     *           }
                     *         }
                     *       ],
                     *       "capped": false
                     *     }
                     */
                    "application/json": components["schemas"]["AgentRun"];
                };
            };
            400: components["responses"]["invalid_params"];
            401: components["responses"]["unauthorized"];
            402: components["responses"]["plan_required"];
            403: components["responses"]["forbidden_scope"];
            404: components["responses"]["not_found"];
            409: components["responses"]["idempotency_conflict_or_idempotency_in_progress"];
            429: components["responses"]["rate_limited_or_quota_exceeded"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["server_paused"];
            507: components["responses"]["storage_full"];
        };
    };
    listAgentActions: {
        parameters: {
            query?: {
                /** @description Page size. */
                limit?: number;
                /** @description `next_cursor` of the previous page. */
                cursor?: string;
            };
            header?: {
                /**
                 * @description Required for organization keys: the email address of the team member whose mail the request concerns. If missing, the response is 400 `invalid_params`. If the address is not that of a member who accepted the invitation, it is 404 `not_found`.
                 * @example bo@example.org
                 */
                "X-On-Behalf-Of"?: components["parameters"]["OnBehalfOf"];
                /**
                 * @description `handling=strict` (RFC 7240) rejects unknown body fields and query parameters with 400 `invalid_params` before anything is changed. Otherwise they are ignored and listed in `X-Unknown-Params`.
                 * @example handling=strict
                 */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Unknown-Params": components["headers"]["X-Unknown-Params"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "agt_01jz4t9h2m8q5r7v3w6x0y1z2a",
                     *           "thread_id": "thr_01jz4t9h2m8q5r7v3w6x0y1z2b",
                     *           "message_id": "msg_01jz4t9h2m8q5r7v3w6x0y1z2c",
                     *           "subject": "Contract for the spring campaign",
                     *           "from": {
                     *             "name": "Maya Costa",
                     *             "email": "maya@harbourline.example"
                     *           },
                     *           "action": "triaged",
                     *           "mode": "autopilot",
                     *           "state": "done",
                     *           "reason": "The sender asks something that has not been answered yet.",
                     *           "engine": null,
                     *           "draft_id": null,
                     *           "changes": {
                     *             "labels": [
                     *               "Needs reply"
                     *             ],
                     *             "category": null,
                     *             "archived": false
                     *           },
                     *           "evidence": {
                     *             "message_id": "msg_01jz4t9h2m8q5r7v3w6x0y1z2c",
                     *             "quote": "Could you sign it?",
                     *             "start": 9,
                     *             "end": 27
                     *           },
                     *           "created_at": "2026-03-02T09:00:00.000Z",
                     *           "undo": {
                     *             "method": "POST",
                     *             "path": "/agent/actions/agt_01jz4t9h2m8q5r7v3w6x0y1z2a/undo"
                     *           }
                     *         }
                     *       ],
                     *       "has_more": false
                     *     }
                     */
                    "application/json": components["schemas"]["AgentActionList"];
                };
            };
            400: components["responses"]["invalid_params"];
            401: components["responses"]["unauthorized"];
            402: components["responses"]["plan_required"];
            403: components["responses"]["forbidden_scope"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited_or_quota_exceeded"];
            500: components["responses"]["internal_error"];
            507: components["responses"]["storage_full"];
        };
    };
    undoAgentAction: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Required for organization keys: the email address of the team member whose mail the request concerns. If missing, the response is 400 `invalid_params`. If the address is not that of a member who accepted the invitation, it is 404 `not_found`.
                 * @example bo@example.org
                 */
                "X-On-Behalf-Of"?: components["parameters"]["OnBehalfOf"];
                /**
                 * @description `handling=strict` (RFC 7240) rejects unknown body fields and query parameters with 400 `invalid_params` before anything is changed. Otherwise they are ignored and listed in `X-Unknown-Params`.
                 * @example handling=strict
                 */
                Prefer?: components["parameters"]["Prefer"];
                /**
                 * @description A unique string of up to 255 characters. For 24 hours, a retry with the same key returns the first response instead of repeating the action.
                 * @example 6f9b2c1e-order-42
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @example agt_01jz4t9h2m8q5r7v3w6x0y1z2a */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Unknown-Params": components["headers"]["X-Unknown-Params"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "agt_01jz4t9h2m8q5r7v3w6x0y1z2a",
                     *       "thread_id": "thr_01jz4t9h2m8q5r7v3w6x0y1z2b",
                     *       "message_id": "msg_01jz4t9h2m8q5r7v3w6x0y1z2c",
                     *       "subject": "Contract for the spring campaign",
                     *       "from": {
                     *         "name": "Maya Costa",
                     *         "email": "maya@harbourline.example"
                     *       },
                     *       "action": "triaged",
                     *       "mode": "autopilot",
                     *       "state": "undone",
                     *       "reason": "The sender asks something that has not been answered yet.",
                     *       "engine": null,
                     *       "draft_id": null,
                     *       "changes": {
                     *         "labels": [
                     *           "Needs reply"
                     *         ],
                     *         "category": null,
                     *         "archived": false
                     *       },
                     *       "evidence": {
                     *         "message_id": "msg_01jz4t9h2m8q5r7v3w6x0y1z2c",
                     *         "quote": "Could you sign it?",
                     *         "start": 9,
                     *         "end": 27
                     *       },
                     *       "created_at": "2026-03-02T09:00:00.000Z",
                     *       "undo": null
                     *     }
                     */
                    "application/json": components["schemas"]["AgentAction"];
                };
            };
            400: components["responses"]["invalid_params"];
            401: components["responses"]["unauthorized"];
            402: components["responses"]["plan_required"];
            403: components["responses"]["forbidden_scope"];
            404: components["responses"]["not_found"];
            409: components["responses"]["draft_locked_or_idempotency_conflict"];
            429: components["responses"]["rate_limited_or_quota_exceeded"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["server_paused"];
            507: components["responses"]["storage_full"];
        };
    };
    search: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Required for organization keys: the email address of the team member whose mail the request concerns. If missing, the response is 400 `invalid_params`. If the address is not that of a member who accepted the invitation, it is 404 `not_found`.
                 * @example bo@example.org
                 */
                "X-On-Behalf-Of"?: components["parameters"]["OnBehalfOf"];
                /**
                 * @description `handling=strict` (RFC 7240) rejects unknown body fields and query parameters with 400 `invalid_params` before anything is changed. Otherwise they are ignored and listed in `X-Unknown-Params`.
                 * @example handling=strict
                 */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "query": "flight to Lisbon from:ada has:attachment",
                 *       "mode": "hybrid",
                 *       "limit": 10
                 *     }
                 */
                "application/json": components["schemas"]["SearchRequest"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Unknown-Params": components["headers"]["X-Unknown-Params"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "thread_id": "thr_01kk8f2v0c5s9w3n7r1m4q6t8x",
                     *           "message_id": "msg_01kk8f2v0c5s9w3n7r1m4q6t8y",
                     *           "account_id": "acc_01kk8f2v0c5s9w3n7r1m4q6t8z",
                     *           "subject": "Your booking to Lisbon",
                     *           "from": {
                     *             "name": "Ada",
                     *             "email": "ada@example.org"
                     *           },
                     *           "date": "2026-03-02T09:00:00.000Z",
                     *           "snippet": "The <mark>flight</mark> to <mark>Lisbon</mark> leaves at 7:40 …",
                     *           "score": 0.91,
                     *           "matched_by": [
                     *             "keyword",
                     *             "semantic"
                     *           ],
                     *           "other_matches": 2
                     *         }
                     *       ],
                     *       "has_more": false,
                     *       "mode": "hybrid",
                     *       "partial": false,
                     *       "indexed": 18204,
                     *       "waiting": 0,
                     *       "waiting_full_text": 0,
                     *       "credits_spent": 1,
                     *       "corrections": []
                     *     }
                     */
                    "application/json": components["schemas"]["SearchReply"];
                };
            };
            400: components["responses"]["invalid_params"];
            401: components["responses"]["unauthorized"];
            402: components["responses"]["insufficient_credits_or_plan_required"];
            403: components["responses"]["forbidden_scope"];
            404: components["responses"]["not_found"];
            413: components["responses"]["payload_too_large"];
            429: components["responses"]["rate_limited_or_quota_exceeded"];
            500: components["responses"]["internal_error"];
            507: components["responses"]["storage_full"];
        };
    };
    suggestSearch: {
        parameters: {
            query: {
                /** @description The query as typed so far, up to the cursor. */
                q: string;
                /** @description How many suggestions to return at most. */
                limit?: number;
            };
            header?: {
                /**
                 * @description Required for organization keys: the email address of the team member whose mail the request concerns. If missing, the response is 400 `invalid_params`. If the address is not that of a member who accepted the invitation, it is 404 `not_found`.
                 * @example bo@example.org
                 */
                "X-On-Behalf-Of"?: components["parameters"]["OnBehalfOf"];
                /**
                 * @description `handling=strict` (RFC 7240) rejects unknown body fields and query parameters with 400 `invalid_params` before anything is changed. Otherwise they are ignored and listed in `X-Unknown-Params`.
                 * @example handling=strict
                 */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Unknown-Params": components["headers"]["X-Unknown-Params"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "kind": "contact",
                     *           "text": "Maya Costa",
                     *           "insert": "from:maya@harbourline.example",
                     *           "detail": "maya@harbourline.example"
                     *         },
                     *         {
                     *           "kind": "label",
                     *           "text": "Marketing plan",
                     *           "insert": "label:\"Marketing plan\"",
                     *           "detail": "Messages with this label"
                     *         },
                     *         {
                     *           "kind": "subject",
                     *           "text": "Market report",
                     *           "insert": "subject:\"Market report\"",
                     *           "detail": "Noor Bakker"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["SuggestReply"];
                };
            };
            400: components["responses"]["invalid_params"];
            401: components["responses"]["unauthorized"];
            402: components["responses"]["plan_required"];
            403: components["responses"]["forbidden_scope"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited_or_quota_exceeded"];
            500: components["responses"]["internal_error"];
            507: components["responses"]["storage_full"];
        };
    };
    getUsage: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Required for organization keys: the email address of the team member whose mail the request concerns. If missing, the response is 400 `invalid_params`. If the address is not that of a member who accepted the invitation, it is 404 `not_found`.
                 * @example bo@example.org
                 */
                "X-On-Behalf-Of"?: components["parameters"]["OnBehalfOf"];
                /**
                 * @description `handling=strict` (RFC 7240) rejects unknown body fields and query parameters with 400 `invalid_params` before anything is changed. Otherwise they are ignored and listed in `X-Unknown-Params`.
                 * @example handling=strict
                 */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Unknown-Params": components["headers"]["X-Unknown-Params"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "plan": "autopilot",
                     *       "requests": {
                     *         "used": 412,
                     *         "limit": 20000,
                     *         "resets": "2026-03-03T00:00:00.000Z"
                     *       },
                     *       "sends": {
                     *         "used": 3,
                     *         "limit": 1000
                     *       },
                     *       "ai_credits": {
                     *         "used": 17,
                     *         "limit": 2000,
                     *         "byok": true
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Usage"];
                };
            };
            400: components["responses"]["invalid_params"];
            401: components["responses"]["unauthorized"];
            402: components["responses"]["plan_required"];
            403: components["responses"]["forbidden_scope"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited_or_quota_exceeded"];
            500: components["responses"]["internal_error"];
            507: components["responses"]["storage_full"];
        };
    };
    listAudit: {
        parameters: {
            query?: {
                /** @description Page size. */
                limit?: number;
                /** @description `next_cursor` of the previous page. */
                cursor?: string;
                /** @description Only this action. */
                action?: string;
                /** @description Only changes to the object with this id. */
                target?: string;
            };
            header?: {
                /**
                 * @description Required for organization keys: the email address of the team member whose mail the request concerns. If missing, the response is 400 `invalid_params`. If the address is not that of a member who accepted the invitation, it is 404 `not_found`.
                 * @example bo@example.org
                 */
                "X-On-Behalf-Of"?: components["parameters"]["OnBehalfOf"];
                /**
                 * @description `handling=strict` (RFC 7240) rejects unknown body fields and query parameters with 400 `invalid_params` before anything is changed. Otherwise they are ignored and listed in `X-Unknown-Params`.
                 * @example handling=strict
                 */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Unknown-Params": components["headers"]["X-Unknown-Params"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "aud_01jz4t9h2m8q5r7v3w6x0y1z2a",
                     *           "actor": {
                     *             "kind": "key",
                     *             "id": "key_01jz4t8f0a1b2c3d4e5f6g7h8j"
                     *           },
                     *           "action": "thread.update",
                     *           "target": "thr_01jz4t7k9m8n7p6q5r4s3t2v1w",
                     *           "before": {
                     *             "state": "inbox"
                     *           },
                     *           "after": {
                     *             "state": "archived"
                     *           },
                     *           "request_id": "req_01jz4t9h2m8q5r7v3w6x0y1z2b",
                     *           "at": "2026-03-02T09:00:00.000Z"
                     *         }
                     *       ],
                     *       "has_more": false
                     *     }
                     */
                    "application/json": components["schemas"]["AuditList"];
                };
            };
            400: components["responses"]["invalid_params"];
            401: components["responses"]["unauthorized"];
            402: components["responses"]["plan_required"];
            403: components["responses"]["forbidden_scope"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited_or_quota_exceeded"];
            500: components["responses"]["internal_error"];
            507: components["responses"]["storage_full"];
        };
    };
    getOpenapi: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OpenAPI 3.1. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    onMessageReceived: {
        parameters: {
            query?: never;
            header: {
                /** @description `t=<unix seconds>,v1=<hex>`, with one `v1` entry for each valid secret. */
                "X-Service-Signature": string;
                /** @description The event's `id`, the same for every attempt. */
                "webhook-id": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    id: string;
                    /** @constant */
                    event: "message.received";
                    /** Format: date-time */
                    created_at: string;
                    data: {
                        thread_id: string;
                        message_id: string;
                        account_id: string;
                        from: {
                            email: string;
                        };
                        subject: string;
                        tags: string[];
                    };
                };
            };
        };
        responses: {
            /** @description Received. Any other response, or none within 15 seconds, causes a retry. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onThreadUpdated: {
        parameters: {
            query?: never;
            header: {
                /** @description `t=<unix seconds>,v1=<hex>`, with one `v1` entry for each valid secret. */
                "X-Service-Signature": string;
                /** @description The event's `id`, the same for every attempt. */
                "webhook-id": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    id: string;
                    /** @constant */
                    event: "thread.updated";
                    /** Format: date-time */
                    created_at: string;
                    data: {
                        thread_id: string;
                        changed: ("state" | "labels" | "read" | "important" | "starred")[];
                    };
                };
            };
        };
        responses: {
            /** @description Received. Any other response, or none within 15 seconds, causes a retry. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onSendCompleted: {
        parameters: {
            query?: never;
            header: {
                /** @description `t=<unix seconds>,v1=<hex>`, with one `v1` entry for each valid secret. */
                "X-Service-Signature": string;
                /** @description The event's `id`, the same for every attempt. */
                "webhook-id": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    id: string;
                    /** @constant */
                    event: "send.completed";
                    /** Format: date-time */
                    created_at: string;
                    data: {
                        send_id: string;
                        thread_id: string;
                        message_id: string;
                    };
                };
            };
        };
        responses: {
            /** @description Received. Any other response, or none within 15 seconds, causes a retry. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onSendFailed: {
        parameters: {
            query?: never;
            header: {
                /** @description `t=<unix seconds>,v1=<hex>`, with one `v1` entry for each valid secret. */
                "X-Service-Signature": string;
                /** @description The event's `id`, the same for every attempt. */
                "webhook-id": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    id: string;
                    /** @constant */
                    event: "send.failed";
                    /** Format: date-time */
                    created_at: string;
                    data: {
                        send_id: string;
                        reason: string;
                        detail: string;
                    };
                };
            };
        };
        responses: {
            /** @description Received. Any other response, or none within 15 seconds, causes a retry. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onSendBounced: {
        parameters: {
            query?: never;
            header: {
                /** @description `t=<unix seconds>,v1=<hex>`, with one `v1` entry for each valid secret. */
                "X-Service-Signature": string;
                /** @description The event's `id`, the same for every attempt. */
                "webhook-id": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    id: string;
                    /** @constant */
                    event: "send.bounced";
                    /** Format: date-time */
                    created_at: string;
                    data: {
                        send_id: string;
                        recipient: string;
                        detail: string;
                    };
                };
            };
        };
        responses: {
            /** @description Received. Any other response, or none within 15 seconds, causes a retry. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onDraftCreated: {
        parameters: {
            query?: never;
            header: {
                /** @description `t=<unix seconds>,v1=<hex>`, with one `v1` entry for each valid secret. */
                "X-Service-Signature": string;
                /** @description The event's `id`, the same for every attempt. */
                "webhook-id": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    id: string;
                    /** @constant */
                    event: "draft.created";
                    /** Format: date-time */
                    created_at: string;
                    data: {
                        draft_id: string;
                        /** @description Null for new mail. */
                        thread_id: string | null;
                    };
                };
            };
        };
        responses: {
            /** @description Received. Any other response, or none within 15 seconds, causes a retry. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onAgentAction: {
        parameters: {
            query?: never;
            header: {
                /** @description `t=<unix seconds>,v1=<hex>`, with one `v1` entry for each valid secret. */
                "X-Service-Signature": string;
                /** @description The event's `id`, the same for every attempt. */
                "webhook-id": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    id: string;
                    /** @constant */
                    event: "agent.action";
                    /** Format: date-time */
                    created_at: string;
                    data: {
                        thread_id: string;
                        /** @enum {string} */
                        action: "drafted" | "followup" | "triaged";
                        mode: string;
                    };
                };
            };
        };
        responses: {
            /** @description Received. Any other response, or none within 15 seconds, causes a retry. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onBriefReady: {
        parameters: {
            query?: never;
            header: {
                /** @description `t=<unix seconds>,v1=<hex>`, with one `v1` entry for each valid secret. */
                "X-Service-Signature": string;
                /** @description The event's `id`, the same for every attempt. */
                "webhook-id": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    id: string;
                    /** @constant */
                    event: "brief.ready";
                    /** Format: date-time */
                    created_at: string;
                    data: {
                        /** Format: date */
                        date: string;
                        needs_reply_count: number;
                    };
                };
            };
        };
        responses: {
            /** @description Received. Any other response, or none within 15 seconds, causes a retry. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onApprovalRequested: {
        parameters: {
            query?: never;
            header: {
                /** @description `t=<unix seconds>,v1=<hex>`, with one `v1` entry for each valid secret. */
                "X-Service-Signature": string;
                /** @description The event's `id`, the same for every attempt. */
                "webhook-id": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    id: string;
                    /** @constant */
                    event: "approval.requested";
                    /** Format: date-time */
                    created_at: string;
                    data: {
                        approval_id: string;
                        draft_id: string;
                        asked_by: {
                            id: string;
                            name: string;
                        };
                        recipients: number;
                    };
                };
            };
        };
        responses: {
            /** @description Received. Any other response, or none within 15 seconds, causes a retry. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onWebhookTest: {
        parameters: {
            query?: never;
            header: {
                /** @description `t=<unix seconds>,v1=<hex>`, with one `v1` entry for each valid secret. */
                "X-Service-Signature": string;
                /** @description The event's `id`, the same for every attempt. */
                "webhook-id": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    id: string;
                    /** @constant */
                    event: "webhook.test";
                    /** Format: date-time */
                    created_at: string;
                    data: {
                        endpoint_id: string;
                    };
                };
            };
        };
        responses: {
            /** @description Received. Any other response, or none within 15 seconds, causes a retry. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
