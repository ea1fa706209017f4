// Made from the OpenAPI document by: bun tools/clients/generate.ts. A test compares it.

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
         * @description All mailboxes in the order in which they were connected, on one page. Mailboxes are connected on the settings page or at the command line, never through this API.
         *
         *     Needs the scope `mail:read`.
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
         * Is all of the mail here?
         * @description The last comparison of every folder with the mail server, UID by UID. It is made after the first sync, then every day, and on request on the settings page or by `postroom account check`. What is found missing is fetched at once and compared again before the result is noted. On Gmail the folders are All Mail, Spam and Trash: the others show messages of these.
         *
         *     The sandbox and an imported mailbox have no mail server to compare with: `complete` is null, and `sentence` says so.
         *
         *     Needs the scope `mail:read`.
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
         * @description Newest message first. Filters combine; all must hold.
         *
         *     Needs the scope `mail:read`.
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
         * Get one thread
         * @description Needs the scope `mail:read`.
         */
        get: operations["getThread"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change a thread
         * @description Several changes may be combined; all are reversible and are mirrored to the mail provider. What is as asked for already stays untouched and fires no event. Changes to a read-only mailbox stay here.
         *
         *     Needs the scope `mail:write`.
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
         * List a thread's messages
         * @description In the order in which they were received, oldest first.
         *
         *     Needs the scope `mail:read`.
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
    "/messages/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get one message
         * @description Needs the scope `mail:read`.
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
         * Get a message as a safe HTML page
         * @description A complete HTML document: no scripts, forms, frames or tracking pixels; links open outside of its sandbox. Pictures inside the mail are embedded; when the mail server is down they are left out. Nothing is loaded from the web unless `images` is `remote`. When parts of the message are missing because it is longer than Postroom keeps, the page ends with a notice, and the header `X-Truncated` is `true`.
         *
         *     Needs the scope `mail:read`.
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
         * @description One-click unsubscribe (RFC 8058), for messages whose `unsubscribe` is not null: one POST to the sender's server, over HTTPS, to public addresses only, without cookies, without following redirects. It tells the sender that the address is read, so `confirm` must be true. A message is told of once: asking again answers the first time. In the sandbox nobody is told.
         *
         *     Needs the scope `mail:write`.
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
         * @description Streamed, with the attachment's own Content-Type. Answers `Range` (one range; 206) and `If-None-Match` (304). `Content-Disposition` makes browsers save the bytes and never show or run them.
         *
         *     Needs the scope `mail:read`.
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
         * Download a message's source
         * @description The message as the mail server holds it (RFC 5322). Answers `Range` (one range; 206) and `If-None-Match` (304). `Content-Disposition` makes browsers save the bytes and never show or run them.
         *
         *     Needs the scope `mail:read`.
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
         * @description Last changed first.
         *
         *     Needs the scope `drafts:read`.
         */
        get: operations["listDrafts"];
        put?: never;
        /**
         * Write a draft
         * @description With `reply_to_thread_id` it answers the newest message of that thread: recipients, subject (with one `Re:`) and the threading headers are inherited; `to` and `cc` given here replace the inherited ones.
         *
         *     With `use_ai` the body is written from `instructions` in the voice of your sent mail; that needs the scope `ai:invoke` too and spends 1 credit. A draft that names a link, an address or an amount which neither the conversation nor your context nor the instructions name comes with `ai.held_for_review` and the reasons.
         *
         *     Needs the scope `drafts:write`.
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
         * Get one draft
         * @description Needs the scope `drafts:read`.
         */
        get: operations["getDraft"];
        put?: never;
        post?: never;
        /**
         * Delete a draft
         * @description Needs the scope `drafts:write`.
         */
        delete: operations["deleteDraft"];
        options?: never;
        head?: never;
        /**
         * Change a draft
         * @description Needs the scope `drafts:write`.
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
         * Attach a file
         * @description 25 MiB in all. With `content_id` (no angle brackets) it is a picture that the HTML of `body` shows by `cid:`.
         *
         *     Needs the scope `drafts:write`.
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
         * @description Needs the scope `drafts:write`.
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
         * @description The message leaves when the undo window is over; until then `POST /sends/{id}/cancel` takes it back. Counts against the plan's sends of the day. The header `Idempotency-Key` is required. The draft is locked until the send has ended.
         *
         *     Needs the scope `mail:send`.
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
         * Compose and send in one call
         * @description For scripts. The message leaves when the undo window is over; until then `POST /sends/{id}/cancel` takes it back. Counts against the plan's sends of the day. The header `Idempotency-Key` is required. A cancelled or failed one leaves a draft.
         *
         *     Needs the scope `mail:send`.
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
         * @description Succeeds only before dispatch. The draft can then be edited and sent again.
         *
         *     Needs the scope `mail:send`.
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
         * @description Newest first.
         *
         *     Needs the scope `mail:send`.
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
         * Get one send
         * @description Needs the scope `mail:send`.
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
         * @description Everyone who wrote to the user or whom the user wrote to, last contact first. Addresses of one person are one contact where its name and the way in which its addresses are made of it agree.
         *
         *     Needs the scope `contacts:read`.
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
         * Mark a contact as VIP, or keep notes on it
         * @description Needs the scope `contacts:write`.
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
         * Take over an address book
         * @description A vCard file (2.1, 3.0, 4.0) of at most 5000 cards. All addresses of a card become one contact; importing a file again changes nothing.
         *
         *     Needs the scope `contacts:write`.
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
         * @description In order of priority, lowest first.
         *
         *     Needs the scope `mail:read`.
         */
        get: operations["listRules"];
        put?: never;
        /**
         * Create a rule
         * @description It gets the highest priority number, so it runs last. Rules of kind `inbox` are applied to new mail, before `message.received`; what they change is mirrored to the mail server.
         *
         *     Needs the scope `mail:write`.
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
         * @description What it did stays.
         *
         *     Needs the scope `mail:write`.
         */
        delete: operations["deleteRule"];
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
         * See what a rule would do
         * @description What applying this rule to the mail of the last days would change now. Nothing is changed and nothing is kept.
         *
         *     Needs the scope `mail:read`.
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
         * How far applying a rule is
         * @description Needs the scope `mail:read`.
         */
        get: operations["getRuleProgress"];
        put?: never;
        /**
         * Apply a rule to existing mail
         * @description It goes on in the background, see `GET /rules/{id}/apply`. While it runs, a second call begins nothing.
         *
         *     Needs the scope `mail:write`.
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
         * @description Last change first.
         *
         *     Needs the scope `context:read`.
         */
        get: operations["listContextProfiles"];
        put?: never;
        /**
         * Create a client profile
         * @description One per domain.
         *
         *     Needs the scope `context:write`.
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
         * Get one client profile
         * @description Needs the scope `context:read`.
         */
        get: operations["getContextProfile"];
        put?: never;
        post?: never;
        /**
         * Delete a client profile
         * @description Its files are deleted, too.
         *
         *     Needs the scope `context:write`.
         */
        delete: operations["deleteContextProfile"];
        options?: never;
        head?: never;
        /**
         * Change a client profile
         * @description Needs the scope `context:write`.
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
         * @description Needs the scope `context:read`.
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
         * @description Created on first use. A profile may override it with a value of the same type.
         *
         *     Needs the scope `context:write`.
         */
        put: operations["setContextVariable"];
        post?: never;
        /**
         * Delete a global variable
         * @description Needs the scope `context:write`.
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
         * @description Newest first.
         *
         *     Needs the scope `context:read`.
         */
        get: operations["listContextFiles"];
        put?: never;
        /**
         * Add a context file
         * @description At most 10 MiB. With `profile_id` it belongs to that profile, else to all mail.
         *
         *     Needs the scope `context:write`.
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
         * @description Needs the scope `context:read`.
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
         * @description Needs the scope `context:write`.
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
         * List what takes place in a window
         * @description In order of their starts. Series are expanded: each occurrence is an entry of its own.
         *
         *     Needs the scope `calendar:read`.
         */
        get: operations["listCalendarEvents"];
        put?: never;
        /**
         * Create an event
         * @description It goes to the first connected calendar, where there is one. Nobody is mailed.
         *
         *     Needs the scope `calendar:write`.
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
         * @description A series as a whole. Nobody is mailed.
         *
         *     Needs the scope `calendar:write`.
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
         * Read the event log
         * @description Oldest first, 30 days back. With `Accept: text/event-stream` the same as server-sent events, which go on with what happens: the field `id` is a cursor, and the header `Last-Event-ID` goes before `after`. So a receiver without a public address misses nothing.
         *
         *     Needs the scope `webhooks:manage`.
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
         * @description Newest first.
         *
         *     Needs the scope `webhooks:manage`.
         */
        get: operations["listWebhooks"];
        put?: never;
        /**
         * Add a webhook endpoint
         * @description It gets the events that happen from now on. Keep the secret: deliveries are signed with it, and it is not shown again. The plan limits the number of endpoints: beyond it the answer is 402 `plan_required`.
         *
         *     Needs the scope `webhooks:manage`.
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
         * @description Needs the scope `webhooks:manage`.
         */
        get: operations["getWebhook"];
        put?: never;
        post?: never;
        /**
         * Delete a webhook endpoint and its history
         * @description Needs the scope `webhooks:manage`.
         */
        delete: operations["deleteWebhook"];
        options?: never;
        head?: never;
        /**
         * Change a webhook endpoint
         * @description `status: "active"` clears the streak of failures, and everything that is still in the log is delivered: what waited, what was given up during the streak, and what happened while the endpoint was disabled.
         *
         *     Needs the scope `webhooks:manage`.
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
         * Replace the secret
         * @description For 24 hours deliveries carry a signature with the old secret as well.
         *
         *     Needs the scope `webhooks:manage`.
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
         * @description Newest first, each with its last attempt. Kept as long as the events themselves.
         *
         *     Needs the scope `webhooks:manage`.
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
         * Get a delivery with all its attempts
         * @description Needs the scope `webhooks:manage`.
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
         * Deliver once more
         * @description The same event with the same `webhook-id`, at once and then by the schedule, whatever became of it before. To a disabled endpoint it goes when that is active again.
         *
         *     Needs the scope `webhooks:manage`.
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
         * The last brief
         * @description 404 before the first. Each item names its message and the place of its words in it; items whose words are not there any more are left out.
         *
         *     Needs the scope `brief:read`.
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
         * Make the brief of today
         * @description Spends 3 AI credits. It takes the place of an earlier brief of the same day, and `brief.ready` fires.
         *
         *     Needs the scope `ai:invoke`.
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
         * When the daily brief is made
         * @description Needs the scope `brief:read`.
         */
        get: operations["getBriefSettings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change when the daily brief is made
         * @description The fields given. Not for a key that is bound to one mailbox: the brief is of all of them.
         *
         *     Needs the scope `ai:invoke`.
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
         * Ask your mail
         * @description Every answer cites the words that support it, and spends 1 credit. Where nothing in the mail supports an answer, `answered` is false and no credit is spent.
         *
         *     Needs the scope `ai:invoke`.
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
         * Summarise a thread
         * @description Every point cites the words that it is made from. Spends 1 credit; a thread without anything to summarise spends none.
         *
         *     Needs the scope `ai:invoke`.
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
         * Find commitments, dates, questions, decisions and amounts in a thread
         * @description By rules on this machine; everything found is given with its place. Spends 1 credit; finding nothing spends none.
         *
         *     Needs the scope `ai:invoke`.
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
         * Which engine answers, and where mail text goes
         * @description Needs the scope `ai:invoke`.
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
         * What was sent to language models
         * @description Every call, also one that failed, newest first. With no model configured the list stays empty. Not for a key that is bound to one mailbox.
         *
         *     Needs the scope `audit:read`.
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
         * Run the agent over new mail
         * @description It looks at mail of senders that a rule of kind `agent` gives it leave for, since its last pass and of the last seven days at most: it labels, sorts and archives where the mode and the allow list permit, and writes drafts, which wait for your review. It never sends. A draft spends 1 credit.
         *
         *     Needs the scope `agent:run`.
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
         * What the agent did, and why
         * @description Newest first; also what it would have done and had no leave for.
         *
         *     Needs the scope `agent:read`.
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
         * Take back what the agent did
         * @description Labels it gave go, the category and the inbox come back, its draft is deleted. What was changed since stays. An action that was only suggested, or undone already, or a draft that was edited, is 400.
         *
         *     Needs the scope `agent:run`.
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
         * Search all mail
         * @description Best first, one row for each thread. Operators hold in every mode: `from:` `to:` `cc:` `bcc:` `deliveredto:` (each takes `me`), `subject:` `filename:` `list:` `label:` `category:` `in:` `is:unread|read|starred|important` `has:attachment|pdf|image|document|spreadsheet|presentation|link` `before:` `after:` `older:` `newer:` `older_than:` `newer_than:` `larger:` `smaller:` `size:` `rfc822msgid:`, `"phrases"`, `-negation`, `OR`, `{either or}`, `(groups)`, `subject:(all of these)`, `prefix*`. Trash and spam are left out unless `in:` names a place. Text that is not a well-formed operator is text (`in: the box`); an operator whose value cannot be understood (`before:Friday`) is 400 `invalid_params`. Words that no message has are searched for in another spelling (`corrections`). `semantic` and `hybrid` spend one credit; a further page of the same search spends none. At most 500 rows.
         *
         *     Needs the scope `search:read`.
         */
        post: operations["search"];
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
         * Plan and consumption
         * @description Live and test keys are counted separately. `sends` shows the cap that applies to this key now: a new key sends at most 50 messages (configurable) in its first 24 hours, and `used` then counts the sends of this key alone. After that, and wherever the plan has less left, `sends` shows the plan.
         *
         *     Needs the scope `usage:read`.
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
         * Every change that was made
         * @description Newest first. A key that is bound to one mailbox sees the changes that it made itself.
         *
         *     Needs the scope `audit:read`.
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
        /** This description */
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
        /** A new message arrived, and has its labels and category. */
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
        /** Something that a user sees of a thread has changed. */
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
        /** A message was handed over, after its undo window. */
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
        /** A send was given up. */
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
        /** A message that had been handed over came back. */
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
        /** A draft was made. */
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
        /** The agent did something on a thread. */
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
        /** A brief is ready. */
        post: operations["onBriefReady"];
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
        /** Somebody pressed Test. Needs no subscription. */
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
             * @description Kind of mail provider; `imap` is any IMAP server, `sandbox` the built-in sample mailbox, `imported` one that was read from files and has no server.
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
             * @description When the mailbox was last found to be up to date; for an imported one, when mail was last added to it.
             * @example 2026-03-02T09:00:00.000Z
             */
            last_sync_at: string | null;
            /** @description Why the last attempt to reach the server failed. */
            last_error: string | null;
            sync: {
                /**
                 * @description `waiting`: not begun; `importing`: the first sync; `live`: up to date and watching.
                 * @enum {string}
                 */
                phase: "waiting" | "importing" | "live";
                /** @description Messages read so far. */
                done: number;
                /** @description Messages to read. */
                total: number;
            };
            search: {
                /** @description Messages that are indexed by meaning. */
                done: number;
                /** @description Messages here. */
                total: number;
                /** @description The text of new mail is indexed at once. After an upgrade, the text of earlier mail is indexed again in the background, newest first. */
                full_text: {
                    /** @description Messages whose text is indexed. */
                    done: number;
                    /** @description Messages here. */
                    total: number;
                };
            };
        };
        AccountList: {
            data: components["schemas"]["Account"][];
            /** @description Whether another page follows. */
            has_more: boolean;
            /** @description Opaque; pass it as `cursor`. Absent on the last page. */
            next_cursor?: string;
        };
        AgentAction: {
            /** @description `agt_…` */
            id: string;
            thread_id: string;
            /** @description The message that it was done for. */
            message_id: string;
            /** @enum {string} */
            action: "drafted" | "followup" | "triaged";
            /** @enum {string} */
            mode: "suggest" | "draft" | "autopilot";
            /**
             * @description `suggested`: the mode or the allow list did not permit it, so nothing was changed.
             * @enum {string}
             */
            state: "suggested" | "done" | "undone";
            reason: string;
            /** @description The engine that wrote the draft. */
            engine: string | null;
            /** @description The draft that waits for your review. */
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
                /** @description Words of the message's `body_text`, exactly. */
                quote: string;
                /** @description Where they begin in it, in UTF-16 code units. */
                start: number;
                end: number;
            } | null;
            /**
             * Format: date-time
             * @example 2026-03-02T09:00:00.000Z
             */
            created_at: string;
            /** @description The call that takes it back. */
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
            /** @description Opaque; pass it as `cursor`. Absent on the last page. */
            next_cursor?: string;
        };
        AgentRun: {
            /** @description New messages in the inbox. */
            looked_at: number;
            actions: components["schemas"]["AgentAction"][];
            /** @description The cap of the run or the day was reached; the rest waits for the next pass. */
            capped: boolean;
        };
        Answer: {
            /** @description False: nothing in the mail supports an answer, and no credit was spent. */
            answered: boolean;
            answer: string;
            citations: {
                message_id: string;
                thread_id: string;
                /** @description Words of the message's `body_text`, exactly. */
                quote: string;
                /** @description Where they begin in it, in UTF-16 code units. */
                start: number;
                /** @description Where they end. */
                end: number;
            }[];
            /** @description AI credits that the answer took; 0 where it says nothing. */
            credits_spent: number;
            /**
             * @description Who wrote it: `extractive` is the built-in engine, `local` a language model on this machine, `hosted` one elsewhere.
             * @enum {string}
             */
            engine: "extractive" | "local" | "hosted";
        };
        AuditEntry: {
            /** @example aud_01jz4t9h2m8q5r7v3w6x0y1z2a */
            id: string;
            /** @description Who did it: an API key, a person, a rule, the agent, or the service itself. */
            actor: {
                /** @enum {string} */
                kind: "key" | "user" | "rule" | "agent" | "system";
                id: string | null;
            };
            /** @description For example `thread.update` or `key.create`. */
            action: string;
            /** @description Id of the thing changed. */
            target: string | null;
            /** @description What it was; null where nothing was. */
            before: unknown;
            /** @description What it became; null where nothing is left. */
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
            /** @description Opaque; pass it as `cursor`. Absent on the last page. */
            next_cursor?: string;
        };
        Brief: {
            /**
             * Format: date
             * @description The day that it is for, where the user is.
             * @example 2026-03-02
             */
            date: string;
            /** @description Questions and requests that wait for the user, the most pressing first. */
            needs_reply: {
                thread_id: string;
                from: {
                    name: string;
                    email: string;
                };
                /** @description In a sentence, for people. */
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
                /** @description The message that says so. */
                message_id: string;
                /** @description The sentence, word for word. */
                quote: string;
                /** @description Where the quote begins in the message's `body_text`, in UTF-16 code units. */
                start: number;
                /** @description Where it ends. */
                end: number;
            }[];
            /** @description Promises with a day, the earliest first. */
            commitments: {
                thread_id: string;
                /** @description The sentence that promises, on one line. */
                promise: string;
                /**
                 * @description Who promised.
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
                /** @description The message that says so. */
                message_id: string;
                /** @description The sentence, word for word. */
                quote: string;
                /** @description Where the quote begins in the message's `body_text`, in UTF-16 code units. */
                start: number;
                /** @description Where it ends. */
                end: number;
                /**
                 * Format: date
                 * @example 2026-03-02
                 */
                due: string;
            }[];
            /** @description Promises that name no day, the newest first. */
            undated: {
                thread_id: string;
                /** @description The sentence that promises, on one line. */
                promise: string;
                /**
                 * @description Who promised.
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
                /** @description The message that says so. */
                message_id: string;
                /** @description The sentence, word for word. */
                quote: string;
                /** @description Where the quote begins in the message's `body_text`, in UTF-16 code units. */
                start: number;
                /** @description Where it ends. */
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
            }[];
            /**
             * @description The brief is made on this machine; no language model takes part.
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
            /** @description Whether a brief is made every day. */
            daily: boolean;
            /** @description Local time of the daily brief. */
            time: string;
            /** @description Of the user; IANA name. */
            timezone: string;
            /** @description Whether it is also mailed to the user. Off unless turned on. */
            mail: boolean;
        };
        BriefSettingsPatch: {
            /** @description Whether a brief is made every day. */
            daily?: boolean;
            /** @description Local time of the daily brief. */
            time?: string;
            /** @description Whether it is also mailed to the user. Off unless turned on. */
            mail?: boolean;
        };
        CalendarEvent: {
            /** @description `evt_…`; all occurrences of a series share it. */
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
            /** @description Days: `start` and `end` are midnights in the user's time zone. */
            all_day: boolean;
            /** @description E-mail addresses. */
            attendees: string[];
            /**
             * @description `needs_action`: an invitation that the user has not answered; `cancelled`: the organizer called it off.
             * @enum {string}
             */
            status: "confirmed" | "tentative" | "needs_action" | "declined" | "cancelled";
            location: string;
            description: string;
            /** @description E-mail address. */
            organizer: string | null;
            /** @description The attendees with their answers. */
            answers: {
                name: string;
                email: string;
                /** @enum {string} */
                status: "needs_action" | "accepted" | "tentative" | "declined" | "delegated";
            }[];
            /**
             * Format: date-time
             * @description Which occurrence of a series this is: its start by the rule. Null for a single event.
             * @example 2026-03-02T09:00:00.000Z
             */
            recurrence_id: string | null;
            /** @description The connected calendar that it lies in; null: kept here only. */
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
             * @description Take the days that `start` and `end` lie in, in the user's time zone.
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
            /** @description Nothing is missing, too much, or refused. Null before the first comparison and where there is no mail server. */
            complete: boolean | null;
            /** @description The same in words, for people. */
            sentence: string;
            /**
             * Format: date-time
             * @description When the last whole comparison ended.
             * @example 2026-03-02T09:00:00.000Z
             */
            verified_at: string | null;
            /** @description Why the latest attempt did not come to its end. */
            error: string | null;
            total: {
                /** @description Messages on the server. */
                server: number;
                /** @description Messages here. */
                here: number;
                /** @description On the server, and not here. */
                missing: number;
                /** @description Here, and no longer on the server. */
                extra: number;
            };
            folders: {
                path: string;
                /** @enum {string} */
                role: "inbox" | "all" | "sent" | "drafts" | "archive" | "snoozed" | "spam" | "trash" | "other";
                /** @description Messages on the server. */
                server: number;
                /** @description Messages here. */
                here: number;
                /** @description On the server, and not here. */
                missing: number;
                /** @description Here, and no longer on the server. */
                extra: number;
                /** @description The server would not show the folder. */
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
            /** @description "" where no name is known. */
            name: string;
            email: string;
            /** @description All addresses of this person, `email` first. */
            emails: string[];
            /**
             * @description `role` is an office such as info@; `automated` a machine that nobody answers.
             * @enum {string}
             */
            kind: "person" | "role" | "automated";
            vip: boolean;
            /**
             * Format: date
             * @description Day of the newest message to or from them, in the user's time zone; null for who is only in an address book.
             * @example 2026-03-02
             */
            last_contact: string | null;
            /** @description Conversations with them, spam and trash aside. */
            threads: number;
            notes: string;
        };
        ContactImport: {
            /** @description Cards taken over. */
            imported: number;
            /** @description Cards without an e-mail address, or not readable. */
            skipped: number;
        };
        ContactList: {
            data: components["schemas"]["Contact"][];
            /** @description Whether another page follows. */
            has_more: boolean;
            /** @description Opaque; pass it as `cursor`. Absent on the last page. */
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
            /** @description Null: for all mail. */
            profile_id: string | null;
            /** @description Its text could be read: plain text, Markdown, HTML, PDF or DOCX. */
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
            /** @description Opaque; pass it as `cursor`. Absent on the last page. */
            next_cursor?: string;
        };
        ContextProfile: {
            /** @description `ctx_…` */
            id: string;
            /** @description Mail from and to this domain, and those below it, belongs to the profile. */
            domain: string;
            name: string;
            /**
             * Format: date-time
             * @example 2026-03-02T09:00:00.000Z
             */
            updated_at: string;
            summary: string;
            /** @description The profile's own; they override global variables of the same key. */
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
            /** @description client.example */
            domain: string;
            name?: string;
            summary?: string;
            /** @description Values by dotted key; null removes the key. */
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
            /** @description Mail from and to this domain, and those below it, belongs to the profile. */
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
            /** @description Opaque; pass it as `cursor`. Absent on the last page. */
            next_cursor?: string;
        };
        ContextProfilePatch: {
            domain?: string;
            name?: string;
            summary?: string;
            /** @description Values by dotted key; null removes the key. */
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
            /** @description Always a text; `type` says what it stands for. */
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
             * @description Absent: as before, or `string`.
             * @enum {string}
             */
            type?: "string" | "number" | "boolean" | "date";
        };
        Draft: {
            /** @description `drf_…` */
            id: string;
            account_id: string;
            /** @description The thread that it answers. */
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
            /** @description The send that is pending (`snd_…`): scheduled or sending. The draft cannot be changed until that send has ended. Null when no send is pending. */
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
            /** @description AI credits that writing it took; 0 without AI. */
            credits_spent: number;
            ai?: components["schemas"]["DraftAiNote"];
        };
        DraftAiNote: {
            /**
             * @description The built-in engine, a language model on this machine, or one elsewhere.
             * @enum {string}
             */
            engine: "extractive" | "local" | "hosted";
            model: string | null;
            /** @description Why the language model did not write it although there is one. */
            fallback: string | null;
            /** @description It names something that none of its sources does; read it before you send it. */
            held_for_review: boolean;
            review_reasons: string[];
            /** @description Each sentence and where it comes from. */
            provenance: {
                text: string;
                /** @description Where the sentence comes from. */
                source: {
                    /**
                     * @description `voice`: how you usually write; `instructions`: yours; `message`: of the conversation; `sent`: a sentence of an earlier mail of yours; `phrase`: a set phrase; `model`: the language model's own words.
                     * @enum {string}
                     */
                    from: "voice" | "instructions" | "message" | "sent" | "phrase" | "model";
                    /** @description The words that it comes from. */
                    quote?: string;
                    /** @description The message that has them. */
                    message_id?: string;
                    /** @description Where they begin in its `body_text`, in UTF-16 code units. */
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
            /** @description Set on a picture that the HTML shows by `cid:`. */
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
            /** @description One of the mailbox's own addresses, a name before it allowed: `Ada <ada@example.org>`. */
            from?: string;
            /** @description E-mail addresses, a name before each allowed. A reply inherits them. */
            to?: string[];
            /** @description As `to`. A reply to all names them here. */
            cc?: string[];
            /** @description As `to`; never seen by the others. */
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
            /** @description The send that is pending (`snd_…`): scheduled or sending. The draft cannot be changed until that send has ended. Null when no send is pending. */
            send_id: string | null;
            /**
             * Format: date-time
             * @example 2026-03-02T09:00:00.000Z
             */
            updated_at: string;
            account_id: string;
            /** @description The thread that it answers. */
            thread_id: string | null;
        };
        DraftList: {
            data: components["schemas"]["DraftItem"][];
            /** @description Whether another page follows. */
            has_more: boolean;
            /** @description Opaque; pass it as `cursor`. Absent on the last page. */
            next_cursor?: string;
        };
        DraftSend: {
            /** @description Must be true. */
            confirm: boolean;
            /**
             * @description Seconds, fractions allowed, during which the send can be cancelled; 0 dispatches at once.
             * @default 10
             */
            undo_window_s: number;
            /**
             * Format: date-time
             * @description Dispatch then instead of now; at most a year ahead. It can be cancelled until then.
             * @example 2026-03-02T09:00:00.000Z
             */
            scheduled_at?: string;
        };
        DraftUpdated: {
            id: string;
            /** @constant */
            status: "draft";
            /** @description The send that is pending (`snd_…`): scheduled or sending. The draft cannot be changed until that send has ended. Null when no send is pending. */
            send_id: string | null;
            /**
             * Format: date-time
             * @example 2026-03-02T09:00:00.000Z
             */
            updated_at: string;
        };
        EngineStatus: {
            /**
             * @description Who wrote it: `extractive` is the built-in engine, `local` a language model on this machine, `hosted` one elsewhere.
             * @enum {string}
             */
            engine: "extractive" | "local" | "hosted";
            model: string | null;
            /** @description Host and port that mail text is sent to. */
            host: string | null;
            /** @description Why the configured model is not used. */
            problem: string | null;
            /** @description Model servers that answer on this machine; none of them is used unless configured. */
            found: {
                /** @enum {string} */
                kind: "ollama" | "llama.cpp" | "other";
                base_url: string;
                models: string[];
            }[];
        };
        Event: {
            /**
             * @description The same in every delivery of this event: what has been seen before can be told by it.
             * @example ntf_01jz4t9h2m8q5r7v3w6x0y1z2a
             */
            id: string;
            /** @enum {string} */
            event: "message.received" | "thread.updated" | "send.completed" | "send.failed" | "send.bounced" | "draft.created" | "agent.action" | "brief.ready";
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
            /** @description Whether more events follow already. */
            has_more: boolean;
            /** @description The same as `cursor`, when more follow. */
            next_cursor?: string;
            /** @description Where this page ends; pass it as `after`. Always there, so that a poller can go on from it later. */
            cursor: string;
        };
        Extraction: {
            thread_id: string;
            commitments: {
                message_id: string;
                thread_id: string;
                /** @description Words of the message's `body_text`, exactly. */
                quote: string;
                /** @description Where they begin in it, in UTF-16 code units. */
                start: number;
                /** @description Where they end. */
                end: number;
                /** @enum {string} */
                by: "me" | "them";
                /**
                 * Format: date
                 * @example 2026-03-02
                 */
                due: string | null;
                /** @description A later message of the same writer seems to keep it. */
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
                /** @description Words of the message's `body_text`, exactly. */
                quote: string;
                /** @description Where they begin in it, in UTF-16 code units. */
                start: number;
                /** @description Where they end. */
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
                /** @description Words of the message's `body_text`, exactly. */
                quote: string;
                /** @description Where they begin in it, in UTF-16 code units. */
                start: number;
                /** @description Where they end. */
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
                /** @description Words of the message's `body_text`, exactly. */
                quote: string;
                /** @description Where they begin in it, in UTF-16 code units. */
                start: number;
                /** @description Where they end. */
                end: number;
            }[];
            amounts: {
                message_id: string;
                thread_id: string;
                /** @description Words of the message's `body_text`, exactly. */
                quote: string;
                /** @description Where they begin in it, in UTF-16 code units. */
                start: number;
                /** @description Where they end. */
                end: number;
                /** @description ISO 4217 where the text tells it. */
                currency: string;
                value: number;
            }[];
            /** @description AI credits that the answer took; 0 where it says nothing. */
            credits_spent: number;
            /**
             * @description Always the built-in engine: the same mail gives the same answer.
             * @constant
             */
            engine: "extractive";
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
            subject: string;
            /**
             * Format: date-time
             * @description The Date header; the time of receipt where that header is absent or implausible.
             * @example 2026-03-02T09:00:00.000Z
             */
            date: string;
            /** @description Plain text without reply history. */
            body_text: string;
            /** @description Only what the sender wrote here: no history, signature or forwarded mail. */
            new_text: string;
            /** @description True when some of the text or some parts are left out, because the message is longer or deeper than Postroom keeps (`mail.text_part_bytes`, `mail.text_read_bytes`). `GET /messages/{id}/raw` has all of it. Absent for messages stored before version 0.2. */
            truncated?: boolean;
            headers: {
                /** @description The Message-ID header exactly as received; "" when there is none. */
                message_id: string;
            };
            labels: string[];
            unread: boolean;
            starred: boolean;
            draft: boolean;
            /** @enum {string} */
            category: "primary" | "social" | "promotions" | "updates";
            /** @description Which rule chose the category; docs/categories.md explains the words. */
            category_reason: string;
            attachments: {
                /** @description `att_…` */
                id: string;
                name: string;
                /** @description Bytes. */
                size: number;
                /** @description True while `size` is an estimate, because the attachment has not been read yet. Absent when `size` is exact. */
                size_estimated?: boolean;
                mime: string;
                /** @description Part of the message's HTML rather than a file. */
                inline: boolean;
            }[];
            /** @description The sender offers one-click unsubscribe (RFC 8058). */
            unsubscribe: {
                /** @description Whose server would be told. */
                host: string;
                /**
                 * Format: date-time
                 * @description When it was told.
                 * @example 2026-03-02T09:00:00.000Z
                 */
                unsubscribed_at: string | null;
            } | null;
        };
        MessageSend: {
            /** @description The sending mailbox; the primary one when absent. */
            account_id?: string;
            /** @description One of the mailbox's own addresses. */
            from?: string;
            /** @description E-mail addresses. Required unless `reply_to_thread_id` gives them. */
            to?: string[];
            cc?: string[];
            bcc?: string[];
            subject?: string;
            /** @description Plain text or simple HTML. */
            body?: string;
            /** @description Answers the newest message of this thread; recipients and subject are inherited. */
            reply_to_thread_id?: string;
            /** @description May be absent; when present it must be true. */
            confirm?: boolean;
            /**
             * @description Seconds, fractions allowed, during which the send can be cancelled; 0 dispatches at once.
             * @default 10
             */
            undo_window_s: number;
            /**
             * Format: date-time
             * @description Dispatch then instead of now; at most a year ahead. It can be cancelled until then.
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
            /** @description The messages whose text was sent. */
            message_ids: string[];
            /** @description `ok`, the kind of the fault, or null when it was cut off. */
            result: string | null;
        };
        ModelCallList: {
            data: components["schemas"]["ModelCall"][];
            /** @description Whether another page follows. */
            has_more: boolean;
            /** @description Opaque; pass it as `cursor`. Absent on the last page. */
            next_cursor?: string;
        };
        NewDraft: {
            /** @description The sending mailbox; the primary one when absent. */
            account_id?: string;
            /** @description Answers the newest message of this thread; recipients and subject are inherited. */
            reply_to_thread_id?: string;
            /** @description One of the mailbox's own addresses, a name before it allowed: `Ada <ada@example.org>`. */
            from?: string;
            /** @description E-mail addresses, a name before each allowed. A reply inherits them. */
            to?: string[];
            /** @description As `to`. A reply to all names them here. */
            cc?: string[];
            /** @description As `to`; never seen by the others. */
            bcc?: string[];
            subject?: string;
            /** @description Plain text or simple HTML. */
            body?: string;
            /**
             * @description Have the body written; `body` is not taken then.
             * @default false
             */
            use_ai: boolean;
            /** @description What an AI draft should say; goes with `use_ai`. */
            instructions?: string;
        };
        NewWebhookEndpoint: {
            /** @description An HTTPS URL. Hosts must have a public address, unless the owner of the machine lists them under `webhooks.allow`. */
            url: string;
            /** @description Names of the events that it gets. `webhook.test` needs no subscription. */
            events: ("message.received" | "thread.updated" | "send.completed" | "send.failed" | "send.bounced" | "draft.created" | "agent.action" | "brief.ready")[];
        };
        Question: {
            question: string;
        };
        Rule: {
            /** @description `rul_…` */
            id: string;
            /**
             * @description `inbox` sorts mail; `agent` says what the agent may do with mail of these senders.
             * @enum {string}
             */
            kind: "inbox" | "agent";
            /** @description All must hold. */
            conditions: components["schemas"]["RuleCondition"][];
            actions: components["schemas"]["RuleAction"][];
            /** @description Lowest first. */
            priority: number;
        };
        RuleAction: {
            /** @enum {string} */
            type: "addLabel" | "removeLabel" | "setCategory" | "archive" | "markRead" | "star" | "trash" | "markSpam" | "setMode" | "allow";
            /** @description A label, a category, a mode or a permission; "" where the action needs none. */
            value: string;
        };
        RuleApply: {
            /** @description Mail of so many days; absent: all mail. */
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
            /** @description Compared without regard to case. With `exists`: "true" or "false". */
            value: string;
        };
        RuleCreate: {
            /**
             * @default inbox
             * @enum {string}
             */
            kind: "inbox" | "agent";
            /** @description All must hold. */
            conditions: {
                /** @enum {string} */
                field: "from" | "from_domain" | "to" | "cc" | "subject" | "body" | "list_id" | "has_attachment" | "account_id" | "category";
                /** @enum {string} */
                op: "equals" | "not_equals" | "contains" | "not_contains" | "starts_with" | "ends_with" | "exists";
                /** @description May be absent with `exists`. */
                value?: string;
            }[];
            actions: {
                /**
                 * @description `setMode` and `allow` belong to rules of kind `agent`, all others to `inbox`.
                 * @enum {string}
                 */
                type: "addLabel" | "removeLabel" | "setCategory" | "archive" | "markRead" | "star" | "trash" | "markSpam" | "setMode" | "allow";
                /** @description Absent where the action needs none. */
                value?: string;
            }[];
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
        RulePreview: {
            /** @description Messages looked at. */
            scanned: number;
            /** @description Messages that the conditions fit. */
            matched: number;
            /** @description Those that are not yet as the rule wants them. */
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
                /** @description Empty: it is as the rule wants it. */
                actions: components["schemas"]["RuleAction"][];
            }[];
        };
        RulePreviewRequest: {
            /**
             * @default inbox
             * @enum {string}
             */
            kind: "inbox" | "agent";
            /** @description All must hold. */
            conditions: {
                /** @enum {string} */
                field: "from" | "from_domain" | "to" | "cc" | "subject" | "body" | "list_id" | "has_attachment" | "account_id" | "category";
                /** @enum {string} */
                op: "equals" | "not_equals" | "contains" | "not_contains" | "starts_with" | "ends_with" | "exists";
                /** @description May be absent with `exists`. */
                value?: string;
            }[];
            actions: {
                /**
                 * @description `setMode` and `allow` belong to rules of kind `agent`, all others to `inbox`.
                 * @enum {string}
                 */
                type: "addLabel" | "removeLabel" | "setCategory" | "archive" | "markRead" | "star" | "trash" | "markSpam" | "setMode" | "allow";
                /** @description Absent where the action needs none. */
                value?: string;
            }[];
            /**
             * @description Looks at mail received in so many days.
             * @default 30
             */
            days: number;
            /**
             * @description How many examples to show.
             * @default 10
             */
            examples: number;
        };
        RuleProgress: {
            /** @description The rule's. */
            id: string;
            /** @enum {string} */
            state: "running" | "done";
            /** @description Messages looked at so far. */
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
            /** @description Opaque; pass it as `cursor` with the same body. Absent on the last page. */
            next_cursor?: string;
            /**
             * @description How it was searched.
             * @enum {string}
             */
            mode: "keyword" | "semantic" | "hybrid";
            /** @description Part of the mail, or all of it, is not indexed yet, so results can be missing: by meaning in semantic and hybrid mode, by its text in every mode. */
            partial: boolean;
            /** @description Messages indexed by meaning; 0 in keyword mode. */
            indexed: number;
            /** @description Messages that wait to be indexed by meaning; 0 in keyword mode. */
            waiting: number;
            /** @description Messages whose text waits to be indexed, which no mode finds by their words; 0 except after an upgrade. */
            waiting_full_text: number;
            credits_spent: number;
            /** @description Words that no message has and that were searched for in another spelling; mostly none. */
            corrections: {
                /** @description The word of the query, in lower case. */
                from: string;
                /** @description The word that was searched for instead. */
                to: string;
            }[];
        };
        SearchRequest: {
            /** @description Words and operators; see the guide to search. */
            query: string;
            /**
             * @description `keyword`: by the words; `semantic`: by the meaning; `hybrid`, the default: both. Without credits left the default becomes `keyword`.
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
            /** @description Only this mailbox; an unknown one is 404 `not_found`. */
            account_id?: string;
        };
        SearchResult: {
            /** @description `thr_…` */
            thread_id: string;
            /** @description `msg_…`, the best message of its thread. */
            message_id: string;
            account_id: string;
            subject: string;
            from: {
                name: string;
                email: string;
            };
            /**
             * Format: date-time
             * @description The Date header; the time of receipt where that header is absent or implausible.
             * @example 2026-03-02T09:00:00.000Z
             */
            date: string;
            /** @description HTML: matching words between `<mark>` and `</mark>`, everything else escaped. */
            snippet: string;
            /** @description 1 is best; comparable within one search only. */
            score: number;
            matched_by: ("keyword" | "semantic")[];
            /** @description Further messages of the thread that were found. */
            other_matches: number;
        };
        Send: {
            /** @description `snd_…` */
            send_id: string;
            /** @enum {string} */
            status: "scheduled" | "sending" | "sent" | "failed" | "undone";
            /**
             * Format: date-time
             * @description Until then it can be cancelled.
             * @example 2026-03-02T09:00:00.000Z
             */
            undo_until: string;
            account_id: string;
            /** @description What is being sent, or what came back; null once it was sent. */
            draft_id: string | null;
            /** @description Of the sent message. */
            thread_id: string | null;
            /** @description Of the sent message. */
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
             * @description When it was sent, failed or cancelled.
             * @example 2026-03-02T09:00:00.000Z
             */
            finished_at: string | null;
            attempts: number;
            /**
             * Format: date-time
             * @description After a fault that passes by itself.
             * @example 2026-03-02T09:00:00.000Z
             */
            next_attempt_at: string | null;
            /**
             * @description Why it failed; `delivery_unknown` when nobody can know whether it arrived.
             * @enum {string|null}
             */
            reason: "provider_rejected" | "auth_failed" | "sender_rejected" | "recipient_rejected" | "message_too_large" | "smtputf8_unsupported" | "sending_limit" | "tls_failed" | "unreachable" | "delivery_unknown" | "compose_failed" | null;
            /** @description The mail server's words. */
            detail: string | null;
            /** @description Recipients that the server refused while it took the message for the others. */
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
            /** @description Opaque; pass it as `cursor`. Absent on the last page. */
            next_cursor?: string;
        };
        SendScheduled: {
            /** @description `snd_…` */
            send_id: string;
            /** @enum {string} */
            status: "scheduled" | "sending" | "sent" | "failed" | "undone";
            /**
             * Format: date-time
             * @description Until then it can be cancelled.
             * @example 2026-03-02T09:00:00.000Z
             */
            undo_until: string;
        };
        Summary: {
            thread_id: string;
            summary: string;
            points: {
                text: string;
                citation: {
                    message_id: string;
                    thread_id: string;
                    /** @description Words of the message's `body_text`, exactly. */
                    quote: string;
                    /** @description Where they begin in it, in UTF-16 code units. */
                    start: number;
                    /** @description Where they end. */
                    end: number;
                };
            }[];
            /** @description AI credits that the answer took; 0 where it says nothing. */
            credits_spent: number;
            /**
             * @description Who wrote it: `extractive` is the built-in engine, `local` a language model on this machine, `hosted` one elsewhere.
             * @enum {string}
             */
            engine: "extractive" | "local" | "hosted";
        };
        Thread: {
            /** @description `thr_…`; of the surviving thread when the one asked for was merged into another. */
            id: string;
            account_id: string;
            subject: string;
            /** @description Addresses in From, To and Cc, each once. */
            participants: string[];
            labels: string[];
            /** @enum {string} */
            state: "inbox" | "archived" | "snoozed" | "trash" | "spam" | "sent";
            unread: boolean;
            starred: boolean;
            /** @description Any of its messages is marked as important on the mail server: the keyword `$Important`, or Gmail's marker. Read-only. */
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
                    /** @description Display name; "" when the mail gives none. */
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
        ThreadChoice: {
            thread_id: string;
        };
        ThreadItem: {
            /** @description `thr_…` */
            id: string;
            account_id: string;
            subject: string;
            from: {
                /** @description Display name; "" when the mail gives none. */
                name: string;
                email: string;
            };
            /** @description Beginning of the newest message, on one line. */
            snippet: string;
            labels: string[];
            /** @description Any of its messages is unread. */
            unread: boolean;
            message_count: number;
            /**
             * Format: date-time
             * @description When the newest message was received; the list is ordered by it.
             * @example 2026-03-02T09:00:00.000Z
             */
            updated_at: string;
            /** @enum {string} */
            state: "inbox" | "archived" | "snoozed" | "trash" | "spam" | "sent";
            starred: boolean;
            /** @description Any of its messages is marked as important on the mail server: the keyword `$Important`, or Gmail's marker. Read-only. */
            important: boolean;
            has_attachment: boolean;
            /** @enum {string} */
            category: "primary" | "social" | "promotions" | "updates";
        };
        ThreadList: {
            data: components["schemas"]["ThreadItem"][];
            /** @description Whether another page follows. */
            has_more: boolean;
            /** @description Opaque; pass it as `cursor`. Absent on the last page. */
            next_cursor?: string;
        };
        ThreadMessage: {
            /** @description `msg_…` */
            id: string;
            from: {
                /** @description Display name; "" when the mail gives none. */
                name: string;
                email: string;
            };
            to: {
                /** @description Display name; "" when the mail gives none. */
                name: string;
                email: string;
            }[];
            cc: {
                /** @description Display name; "" when the mail gives none. */
                name: string;
                email: string;
            }[];
            /**
             * Format: date-time
             * @description The Date header; the time of receipt where that header is absent or implausible.
             * @example 2026-03-02T09:00:00.000Z
             */
            date: string;
            /** @description Plain text; without reply history unless `include_quoted` is true. */
            body_text: string;
            /** @description Only what the sender wrote here: no history, signature or forwarded mail. */
            new_text: string;
            /** @description True when some of the text or some parts are left out, because the message is longer or deeper than Postroom keeps (`mail.text_part_bytes`, `mail.text_read_bytes`). `GET /messages/{id}/raw` has all of it. Absent for messages stored before version 0.2. */
            truncated?: boolean;
            attachments: {
                /** @description `att_…` */
                id: string;
                name: string;
                /** @description Bytes. */
                size: number;
                /** @description True while `size` is an estimate, because the attachment has not been read yet. Absent when `size` is exact. */
                size_estimated?: boolean;
                mime: string;
                /** @description Part of the message's HTML rather than a file. */
                inline: boolean;
            }[];
            unread: boolean;
            /** @description An unfinished message of the mailbox's Drafts folder. */
            draft: boolean;
        };
        ThreadMessageList: {
            data: components["schemas"]["ThreadMessage"][];
            /** @description Whether another page follows. */
            has_more: boolean;
            /** @description Opaque; pass it as `cursor`. Absent on the last page. */
            next_cursor?: string;
        };
        ThreadPatch: {
            /** @description True: all messages; false: the newest received message becomes unread. */
            read?: boolean;
            /** @description True: the newest received message; false: all messages lose the star. */
            starred?: boolean;
            /**
             * @description Moves the received messages. Sent messages stay where they are; a thread with only sent mail takes the state all the same.
             * @enum {string}
             */
            state?: "inbox" | "archived" | "trash" | "spam";
            /** @description Names of 1–200 characters, at most 50; made on first use. */
            add_labels?: string[];
            /** @description Names; those not carried are ignored. */
            remove_labels?: string[];
            /**
             * Format: date-time
             * @description A future time, not together with `state`; null unsnoozes and combines with everything.
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
            /** @description Whose server was told. */
            host: string;
            /**
             * Format: date-time
             * @description When it took the request.
             * @example 2026-03-02T09:00:00.000Z
             */
            unsubscribed_at: string;
        };
        Usage: {
            /** @enum {string} */
            plan: "free" | "pro" | "autopilot" | "team";
            /** @description Requests since the last UTC midnight; this one counts. */
            requests: {
                used: number;
                limit: number;
                /**
                 * Format: date-time
                 * @description When the daily counters reset: the next UTC midnight.
                 * @example 2026-03-02T09:00:00.000Z
                 */
                resets: string;
            };
            /** @description Sends since the last UTC midnight; for a key in its first 24 hours, its own sends and their cap. */
            sends: {
                used: number;
                limit: number;
            };
            /** @description AI credits since the first of the month, UTC. */
            ai_credits: {
                used: number;
                limit: number;
                /** @description True when the model is built in, local or your own: counted, never refused. */
                byok: boolean;
            };
        };
        WebhookAttempt: {
            /** @description 1 for the first. */
            attempt: number;
            /**
             * Format: date-time
             * @example 2026-03-02T09:00:00.000Z
             */
            at: string;
            duration_ms: number;
            /** @description null: there was no answer. */
            response_status: number | null;
            /** @description Why it failed, in words. */
            error: string | null;
        } | null;
        WebhookCreated: {
            data: {
                /** @example whk_01jz4t9h2m8q5r7v3w6x0y1z2a */
                id: string;
                /** @description An HTTPS URL. Hosts must have a public address, unless the owner of the machine lists them under `webhooks.allow`. */
                url: string;
                /** @description Names of the events that it gets. `webhook.test` needs no subscription. */
                events: ("message.received" | "thread.updated" | "send.completed" | "send.failed" | "send.bounced" | "draft.created" | "agent.action" | "brief.ready")[];
                /**
                 * @description `disabled`: it gets nothing until it is made active. That happens by hand, after three days of unbroken failure, or when the receiver answers 410.
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
                /** @description `whsec_` and base64. Shown only here. */
                secret: string;
            };
        };
        WebhookDelivery: {
            /** @example dlv_01jz4t9h2m8q5r7v3w6x0y1z2b */
            id: string;
            /** @description The event's `id`, and the header `webhook-id` of every attempt. */
            event_id: string;
            /** @example message.received */
            event: string;
            /**
             * @description `failed`: the last attempt of the schedule was made.
             * @enum {string}
             */
            status: "pending" | "delivered" | "failed";
            attempt_count: number;
            last_attempt: components["schemas"]["WebhookAttempt"];
            /**
             * Format: date-time
             * @description null unless `pending`.
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
                /** @description The event's `id`, and the header `webhook-id` of every attempt. */
                event_id: string;
                /** @example message.received */
                event: string;
                /**
                 * @description `failed`: the last attempt of the schedule was made.
                 * @enum {string}
                 */
                status: "pending" | "delivered" | "failed";
                attempt_count: number;
                last_attempt: components["schemas"]["WebhookAttempt"];
                /**
                 * Format: date-time
                 * @description null unless `pending`.
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
                /** @description Oldest first; the newest 50. */
                attempts: {
                    /** @description 1 for the first. */
                    attempt: number;
                    /**
                     * Format: date-time
                     * @example 2026-03-02T09:00:00.000Z
                     */
                    at: string;
                    duration_ms: number;
                    /** @description null: there was no answer. */
                    response_status: number | null;
                    /** @description Why it failed, in words. */
                    error: string | null;
                    response_headers: {
                        [key: string]: string;
                    };
                    /** @description Its first 4 KiB. */
                    response_body: string;
                }[];
            };
        };
        WebhookDeliveryList: {
            data: components["schemas"]["WebhookDelivery"][];
            /** @description Whether another page follows. */
            has_more: boolean;
            /** @description Opaque; pass it as `cursor`. Absent on the last page. */
            next_cursor?: string;
        };
        WebhookDeliveryReply: {
            data: components["schemas"]["WebhookDelivery"];
        };
        WebhookEndpoint: {
            /** @example whk_01jz4t9h2m8q5r7v3w6x0y1z2a */
            id: string;
            /** @description An HTTPS URL. Hosts must have a public address, unless the owner of the machine lists them under `webhooks.allow`. */
            url: string;
            /** @description Names of the events that it gets. `webhook.test` needs no subscription. */
            events: ("message.received" | "thread.updated" | "send.completed" | "send.failed" | "send.bounced" | "draft.created" | "agent.action" | "brief.ready")[];
            /**
             * @description `disabled`: it gets nothing until it is made active. That happens by hand, after three days of unbroken failure, or when the receiver answers 410.
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
            /** @description Pass it as `cursor`. */
            next_cursor: string | null;
        };
        WebhookPatch: {
            /** @description An HTTPS URL. Hosts must have a public address, unless the owner of the machine lists them under `webhooks.allow`. */
            url?: string;
            /** @description Names of the events that it gets. `webhook.test` needs no subscription. */
            events?: ("message.received" | "thread.updated" | "send.completed" | "send.failed" | "send.bounced" | "draft.created" | "agent.action" | "brief.ready")[];
            /**
             * @description `active` also clears the streak of failures.
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
                 * @description `disabled`: it gets nothing until it is made active. That happens by hand, after three days of unbroken failure, or when the receiver answers 410.
                 * @enum {string}
                 */
                status: "active" | "disabled";
                /** @description `whsec_` and base64. Shown only here. */
                secret: string;
            };
        };
        WebhookUpdated: {
            data: {
                /** @example whk_01jz4t9h2m8q5r7v3w6x0y1z2a */
                id: string;
                /** @description Names of the events that it gets. `webhook.test` needs no subscription. */
                events: ("message.received" | "thread.updated" | "send.completed" | "send.failed" | "send.bounced" | "draft.created" | "agent.action" | "brief.ready")[];
                /**
                 * @description `disabled`: it gets nothing until it is made active. That happens by hand, after three days of unbroken failure, or when the receiver answers 410.
                 * @enum {string}
                 */
                status: "active" | "disabled";
                /** @description Failed attempts since the last success. */
                failure_count: number;
            };
        };
        /** @description Every error has this envelope. Match on `code`, never on `message`. */
        Error: {
            error: {
                /** @enum {string} */
                type: "invalid_request_error" | "authentication_error" | "permission_error" | "not_found_error" | "conflict_error" | "rate_limit_error" | "billing_error" | "api_error";
                /** @enum {string} */
                code: "unauthorized" | "forbidden_scope" | "invalid_params" | "not_found" | "rate_limited" | "quota_exceeded" | "insufficient_credits" | "plan_required" | "internal_error" | "undo_window_elapsed" | "method_not_allowed" | "draft_locked" | "idempotency_conflict" | "idempotency_in_progress" | "payload_too_large" | "range_not_satisfiable" | "provider_unavailable" | "storage_full" | "unsubscribe_unavailable" | "unsubscribe_failed";
                /** @description For people; it may change. */
                message: string;
                /** @description The failing parameter, header or body field, when one applies. */
                param?: string;
                /** @description Also in the header `X-Request-Id`. */
                request_id: string;
            };
        };
    };
    responses: {
        /** @description `invalid_params`: A parameter, header or body field is missing or wrong; `param` names it. */
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
        /** @description `unauthorized`: The key is missing, malformed, unknown, expired or revoked, or may not be used from this address. */
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
        /** @description `plan_required`: The plan has no API access, or the scope needs a higher plan. */
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
        /** @description `forbidden_scope`: The key lacks the scope. */
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
        /** @description `not_found`: There is no such thing, or it belongs to somebody else. */
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
         * @description `rate_limited`: More requests a minute than the key, the user or the address may make.
         *
         *     `quota_exceeded`: A daily quota of the plan is used up; it resets at UTC midnight.
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
        /** @description `internal_error`: A failure on the server's side; safe to retry once. */
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
        /** @description `storage_full`: The server's disk is full; nothing was changed. */
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
        /** @description `idempotency_conflict`: The Idempotency-Key was used with another body, or by another key or session. */
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
        /** @description `payload_too_large`: The body is too long: JSON 1 MiB, attachments 25 MiB. */
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
        /**
         * @description `idempotency_conflict`: The Idempotency-Key was used with another body, or by another key or session.
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
        /** @description `unsubscribe_failed`: The sender's server was not reached, or did not take it; nothing was noted. */
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
        /** @description `range_not_satisfiable`: The range lies outside the content. */
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
         *     `plan_required`: The plan has no API access, or the scope needs a higher plan.
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
         * @description `idempotency_conflict`: The Idempotency-Key was used with another body, or by another key or session.
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
         * @description `draft_locked`: The draft is being sent.
         *
         *     `idempotency_conflict`: The Idempotency-Key was used with another body, or by another key or session.
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
         * @description `draft_locked`: The draft is being sent.
         *
         *     `idempotency_conflict`: The Idempotency-Key was used with another body, or by another key or session.
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
        /**
         * @description `undo_window_elapsed`: The send has left already; the message stays sent.
         *
         *     `idempotency_conflict`: The Idempotency-Key was used with another body, or by another key or session.
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
        /** @description `rate_limited`: More requests a minute than the key, the user or the address may make. */
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
         * @description For organisation keys, which need it: the e-mail address of the member of the team whose mail this is about. Missing: 400 `invalid_params`; nobody who accepted to be in the team: 404 `not_found`.
         * @example bo@example.org
         */
        OnBehalfOf: string;
        /**
         * @description `handling=strict` (RFC 7240) refuses unknown body fields and query parameters with 400 `invalid_params` before anything is changed. Otherwise they are ignored, and named in `X-Unknown-Params`.
         * @example handling=strict
         */
        Prefer: string;
    };
    requestBodies: never;
    headers: {
        /** @description Identifies the request for support. */
        "X-Request-Id": string;
        /** @description Requests a minute of the bucket (key, user or address) that allows least. */
        "X-RateLimit-Limit": number;
        /** @description What is left in that bucket. */
        "X-RateLimit-Remaining": number;
        /** @description When that bucket is full again, Unix seconds. */
        "X-RateLimit-Reset": number;
        /** @description Seconds to wait. */
        "Retry-After": number;
        /** @description `true` when this is the reply of an earlier request with the same Idempotency-Key. */
        "Idempotency-Replayed": "true";
        /** @description `true` where the end of the message is missing from the page. */
        "X-Truncated": "true";
        /**
         * @description The unknown body fields and query parameters of the request: a list of strings (RFC 9651), each with the parameter `did-you-mean` where a known name is near. Names beyond ASCII are display strings; `more;count=N` counts those that are not listed.
         * @example "reed";did-you-mean="read"
         */
        "X-Unknown-Params": string;
        /** @description `handling=strict` when the request asked for it and was read by it. */
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
export type Summary = components['schemas']['Summary'];
export type Thread = components['schemas']['Thread'];
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
export type ResponseIdempotencyConflict = components['responses']['idempotency_conflict'];
export type ResponsePayloadTooLarge = components['responses']['payload_too_large'];
export type ResponseIdempotencyConflictOrIdempotencyInProgressOrUnsubscribeUnavailable = components['responses']['idempotency_conflict_or_idempotency_in_progress_or_unsubscribe_unavailable'];
export type ResponseUnsubscribeFailed = components['responses']['unsubscribe_failed'];
export type ResponseRangeNotSatisfiable = components['responses']['range_not_satisfiable'];
export type ResponseProviderUnavailable = components['responses']['provider_unavailable'];
export type ResponseInsufficientCreditsOrPlanRequired = components['responses']['insufficient_credits_or_plan_required'];
export type ResponseIdempotencyConflictOrIdempotencyInProgress = components['responses']['idempotency_conflict_or_idempotency_in_progress'];
export type ResponseDraftLockedOrIdempotencyConflict = components['responses']['draft_locked_or_idempotency_conflict'];
export type ResponseDraftLockedOrIdempotencyConflictOrIdempotencyInProgress = components['responses']['draft_locked_or_idempotency_conflict_or_idempotency_in_progress'];
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
                 * @description For organisation keys, which need it: the e-mail address of the member of the team whose mail this is about. Missing: 400 `invalid_params`; nobody who accepted to be in the team: 404 `not_found`.
                 * @example bo@example.org
                 */
                "X-On-Behalf-Of"?: components["parameters"]["OnBehalfOf"];
                /**
                 * @description `handling=strict` (RFC 7240) refuses unknown body fields and query parameters with 400 `invalid_params` before anything is changed. Otherwise they are ignored, and named in `X-Unknown-Params`.
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
                 * @description For organisation keys, which need it: the e-mail address of the member of the team whose mail this is about. Missing: 400 `invalid_params`; nobody who accepted to be in the team: 404 `not_found`.
                 * @example bo@example.org
                 */
                "X-On-Behalf-Of"?: components["parameters"]["OnBehalfOf"];
                /**
                 * @description `handling=strict` (RFC 7240) refuses unknown body fields and query parameters with 400 `invalid_params` before anything is changed. Otherwise they are ignored, and named in `X-Unknown-Params`.
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
                /** @description `sent` lists every thread that holds a sent message, whatever its own state. */
                state?: "inbox" | "archived" | "snoozed" | "trash" | "spam" | "sent";
                /** @description Only this category. */
                tab?: "primary" | "social" | "promotions" | "updates";
                /** @description Only threads carrying the label of this name. */
                label?: string;
                /** @description Only this mailbox; an unknown one is 404 `not_found`. */
                account_id?: string;
                /** @description True: only unread threads; false: only read ones. */
                unread?: boolean;
                /** @description True: only starred threads; false: only threads without a star. */
                starred?: boolean;
                /** @description True: only threads with an attachment; false: only threads without one. */
                has_attachment?: boolean;
                /** @description Only threads whose newest message was received before this time. */
                before?: string;
                /** @description Only threads whose newest message was received at this time or later. */
                after?: string;
                /** @description Only threads with a message that this query finds: the words and operators of `POST /search`. Every word but function words must occur, in any form; no spelling is corrected. */
                q?: string;
                /** @description Page size. */
                limit?: number;
                /** @description `next_cursor` of the previous page. */
                cursor?: string;
            };
            header?: {
                /**
                 * @description For organisation keys, which need it: the e-mail address of the member of the team whose mail this is about. Missing: 400 `invalid_params`; nobody who accepted to be in the team: 404 `not_found`.
                 * @example bo@example.org
                 */
                "X-On-Behalf-Of"?: components["parameters"]["OnBehalfOf"];
                /**
                 * @description `handling=strict` (RFC 7240) refuses unknown body fields and query parameters with 400 `invalid_params` before anything is changed. Otherwise they are ignored, and named in `X-Unknown-Params`.
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
                 * @description For organisation keys, which need it: the e-mail address of the member of the team whose mail this is about. Missing: 400 `invalid_params`; nobody who accepted to be in the team: 404 `not_found`.
                 * @example bo@example.org
                 */
                "X-On-Behalf-Of"?: components["parameters"]["OnBehalfOf"];
                /**
                 * @description `handling=strict` (RFC 7240) refuses unknown body fields and query parameters with 400 `invalid_params` before anything is changed. Otherwise they are ignored, and named in `X-Unknown-Params`.
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
                 * @description For organisation keys, which need it: the e-mail address of the member of the team whose mail this is about. Missing: 400 `invalid_params`; nobody who accepted to be in the team: 404 `not_found`.
                 * @example bo@example.org
                 */
                "X-On-Behalf-Of"?: components["parameters"]["OnBehalfOf"];
                /**
                 * @description `handling=strict` (RFC 7240) refuses unknown body fields and query parameters with 400 `invalid_params` before anything is changed. Otherwise they are ignored, and named in `X-Unknown-Params`.
                 * @example handling=strict
                 */
                Prefer?: components["parameters"]["Prefer"];
                /**
                 * @description A unique text of up to 255 characters. A retry with the same key gets the first reply for 24 hours.
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
            409: components["responses"]["idempotency_conflict"];
            413: components["responses"]["payload_too_large"];
            429: components["responses"]["rate_limited_or_quota_exceeded"];
            500: components["responses"]["internal_error"];
            507: components["responses"]["storage_full"];
        };
    };
    listThreadMessages: {
        parameters: {
            query?: {
                /** @description Keep the reply history in `body_text`. */
                include_quoted?: boolean;
                /** @description Page size. */
                limit?: number;
                /** @description `next_cursor` of the previous page. */
                cursor?: string;
            };
            header?: {
                /**
                 * @description For organisation keys, which need it: the e-mail address of the member of the team whose mail this is about. Missing: 400 `invalid_params`; nobody who accepted to be in the team: 404 `not_found`.
                 * @example bo@example.org
                 */
                "X-On-Behalf-Of"?: components["parameters"]["OnBehalfOf"];
                /**
                 * @description `handling=strict` (RFC 7240) refuses unknown body fields and query parameters with 400 `invalid_params` before anything is changed. Otherwise they are ignored, and named in `X-Unknown-Params`.
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
    getMessage: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description For organisation keys, which need it: the e-mail address of the member of the team whose mail this is about. Missing: 400 `invalid_params`; nobody who accepted to be in the team: 404 `not_found`.
                 * @example bo@example.org
                 */
                "X-On-Behalf-Of"?: components["parameters"]["OnBehalfOf"];
                /**
                 * @description `handling=strict` (RFC 7240) refuses unknown body fields and query parameters with 400 `invalid_params` before anything is changed. Otherwise they are ignored, and named in `X-Unknown-Params`.
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
                /** @description `remote` also shows pictures from the web; the reader's address becomes known to their servers. */
                images?: "none" | "remote";
            };
            header?: {
                /**
                 * @description For organisation keys, which need it: the e-mail address of the member of the team whose mail this is about. Missing: 400 `invalid_params`; nobody who accepted to be in the team: 404 `not_found`.
                 * @example bo@example.org
                 */
                "X-On-Behalf-Of"?: components["parameters"]["OnBehalfOf"];
                /**
                 * @description `handling=strict` (RFC 7240) refuses unknown body fields and query parameters with 400 `invalid_params` before anything is changed. Otherwise they are ignored, and named in `X-Unknown-Params`.
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
                 * @description For organisation keys, which need it: the e-mail address of the member of the team whose mail this is about. Missing: 400 `invalid_params`; nobody who accepted to be in the team: 404 `not_found`.
                 * @example bo@example.org
                 */
                "X-On-Behalf-Of"?: components["parameters"]["OnBehalfOf"];
                /**
                 * @description `handling=strict` (RFC 7240) refuses unknown body fields and query parameters with 400 `invalid_params` before anything is changed. Otherwise they are ignored, and named in `X-Unknown-Params`.
                 * @example handling=strict
                 */
                Prefer?: components["parameters"]["Prefer"];
                /**
                 * @description A unique text of up to 255 characters. A retry with the same key gets the first reply for 24 hours.
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
            507: components["responses"]["storage_full"];
        };
    };
    getAttachment: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description For organisation keys, which need it: the e-mail address of the member of the team whose mail this is about. Missing: 400 `invalid_params`; nobody who accepted to be in the team: 404 `not_found`.
                 * @example bo@example.org
                 */
                "X-On-Behalf-Of"?: components["parameters"]["OnBehalfOf"];
                /**
                 * @description `handling=strict` (RFC 7240) refuses unknown body fields and query parameters with 400 `invalid_params` before anything is changed. Otherwise they are ignored, and named in `X-Unknown-Params`.
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
            /** @description The range that was asked for. */
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
            /** @description Nothing has changed since the ETag of `If-None-Match`. */
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
                 * @description For organisation keys, which need it: the e-mail address of the member of the team whose mail this is about. Missing: 400 `invalid_params`; nobody who accepted to be in the team: 404 `not_found`.
                 * @example bo@example.org
                 */
                "X-On-Behalf-Of"?: components["parameters"]["OnBehalfOf"];
                /**
                 * @description `handling=strict` (RFC 7240) refuses unknown body fields and query parameters with 400 `invalid_params` before anything is changed. Otherwise they are ignored, and named in `X-Unknown-Params`.
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
            /** @description The range that was asked for. */
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
            /** @description Nothing has changed since the ETag of `If-None-Match`. */
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
                 * @description For organisation keys, which need it: the e-mail address of the member of the team whose mail this is about. Missing: 400 `invalid_params`; nobody who accepted to be in the team: 404 `not_found`.
                 * @example bo@example.org
                 */
                "X-On-Behalf-Of"?: components["parameters"]["OnBehalfOf"];
                /**
                 * @description `handling=strict` (RFC 7240) refuses unknown body fields and query parameters with 400 `invalid_params` before anything is changed. Otherwise they are ignored, and named in `X-Unknown-Params`.
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
                 * @description For organisation keys, which need it: the e-mail address of the member of the team whose mail this is about. Missing: 400 `invalid_params`; nobody who accepted to be in the team: 404 `not_found`.
                 * @example bo@example.org
                 */
                "X-On-Behalf-Of"?: components["parameters"]["OnBehalfOf"];
                /**
                 * @description `handling=strict` (RFC 7240) refuses unknown body fields and query parameters with 400 `invalid_params` before anything is changed. Otherwise they are ignored, and named in `X-Unknown-Params`.
                 * @example handling=strict
                 */
                Prefer?: components["parameters"]["Prefer"];
                /**
                 * @description A unique text of up to 255 characters. A retry with the same key gets the first reply for 24 hours.
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
            507: components["responses"]["storage_full"];
        };
    };
    getDraft: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description For organisation keys, which need it: the e-mail address of the member of the team whose mail this is about. Missing: 400 `invalid_params`; nobody who accepted to be in the team: 404 `not_found`.
                 * @example bo@example.org
                 */
                "X-On-Behalf-Of"?: components["parameters"]["OnBehalfOf"];
                /**
                 * @description `handling=strict` (RFC 7240) refuses unknown body fields and query parameters with 400 `invalid_params` before anything is changed. Otherwise they are ignored, and named in `X-Unknown-Params`.
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
                 * @description For organisation keys, which need it: the e-mail address of the member of the team whose mail this is about. Missing: 400 `invalid_params`; nobody who accepted to be in the team: 404 `not_found`.
                 * @example bo@example.org
                 */
                "X-On-Behalf-Of"?: components["parameters"]["OnBehalfOf"];
                /**
                 * @description `handling=strict` (RFC 7240) refuses unknown body fields and query parameters with 400 `invalid_params` before anything is changed. Otherwise they are ignored, and named in `X-Unknown-Params`.
                 * @example handling=strict
                 */
                Prefer?: components["parameters"]["Prefer"];
                /**
                 * @description A unique text of up to 255 characters. A retry with the same key gets the first reply for 24 hours.
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
            507: components["responses"]["storage_full"];
        };
    };
    updateDraft: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description For organisation keys, which need it: the e-mail address of the member of the team whose mail this is about. Missing: 400 `invalid_params`; nobody who accepted to be in the team: 404 `not_found`.
                 * @example bo@example.org
                 */
                "X-On-Behalf-Of"?: components["parameters"]["OnBehalfOf"];
                /**
                 * @description `handling=strict` (RFC 7240) refuses unknown body fields and query parameters with 400 `invalid_params` before anything is changed. Otherwise they are ignored, and named in `X-Unknown-Params`.
                 * @example handling=strict
                 */
                Prefer?: components["parameters"]["Prefer"];
                /**
                 * @description A unique text of up to 255 characters. A retry with the same key gets the first reply for 24 hours.
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
            507: components["responses"]["storage_full"];
        };
    };
    addDraftAttachment: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description For organisation keys, which need it: the e-mail address of the member of the team whose mail this is about. Missing: 400 `invalid_params`; nobody who accepted to be in the team: 404 `not_found`.
                 * @example bo@example.org
                 */
                "X-On-Behalf-Of"?: components["parameters"]["OnBehalfOf"];
                /**
                 * @description `handling=strict` (RFC 7240) refuses unknown body fields and query parameters with 400 `invalid_params` before anything is changed. Otherwise they are ignored, and named in `X-Unknown-Params`.
                 * @example handling=strict
                 */
                Prefer?: components["parameters"]["Prefer"];
                /**
                 * @description A unique text of up to 255 characters. A retry with the same key gets the first reply for 24 hours.
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
            507: components["responses"]["storage_full"];
        };
    };
    removeDraftAttachment: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description For organisation keys, which need it: the e-mail address of the member of the team whose mail this is about. Missing: 400 `invalid_params`; nobody who accepted to be in the team: 404 `not_found`.
                 * @example bo@example.org
                 */
                "X-On-Behalf-Of"?: components["parameters"]["OnBehalfOf"];
                /**
                 * @description `handling=strict` (RFC 7240) refuses unknown body fields and query parameters with 400 `invalid_params` before anything is changed. Otherwise they are ignored, and named in `X-Unknown-Params`.
                 * @example handling=strict
                 */
                Prefer?: components["parameters"]["Prefer"];
                /**
                 * @description A unique text of up to 255 characters. A retry with the same key gets the first reply for 24 hours.
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
            507: components["responses"]["storage_full"];
        };
    };
    sendDraft: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description For organisation keys, which need it: the e-mail address of the member of the team whose mail this is about. Missing: 400 `invalid_params`; nobody who accepted to be in the team: 404 `not_found`.
                 * @example bo@example.org
                 */
                "X-On-Behalf-Of"?: components["parameters"]["OnBehalfOf"];
                /**
                 * @description `handling=strict` (RFC 7240) refuses unknown body fields and query parameters with 400 `invalid_params` before anything is changed. Otherwise they are ignored, and named in `X-Unknown-Params`.
                 * @example handling=strict
                 */
                Prefer?: components["parameters"]["Prefer"];
                /**
                 * @description A unique text of up to 255 characters. A retry with the same key gets the first reply for 24 hours.
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
            507: components["responses"]["storage_full"];
        };
    };
    sendMessage: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description For organisation keys, which need it: the e-mail address of the member of the team whose mail this is about. Missing: 400 `invalid_params`; nobody who accepted to be in the team: 404 `not_found`.
                 * @example bo@example.org
                 */
                "X-On-Behalf-Of"?: components["parameters"]["OnBehalfOf"];
                /**
                 * @description `handling=strict` (RFC 7240) refuses unknown body fields and query parameters with 400 `invalid_params` before anything is changed. Otherwise they are ignored, and named in `X-Unknown-Params`.
                 * @example handling=strict
                 */
                Prefer?: components["parameters"]["Prefer"];
                /**
                 * @description A unique text of up to 255 characters. A retry with the same key gets the first reply for 24 hours.
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
            507: components["responses"]["storage_full"];
        };
    };
    cancelSend: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description For organisation keys, which need it: the e-mail address of the member of the team whose mail this is about. Missing: 400 `invalid_params`; nobody who accepted to be in the team: 404 `not_found`.
                 * @example bo@example.org
                 */
                "X-On-Behalf-Of"?: components["parameters"]["OnBehalfOf"];
                /**
                 * @description `handling=strict` (RFC 7240) refuses unknown body fields and query parameters with 400 `invalid_params` before anything is changed. Otherwise they are ignored, and named in `X-Unknown-Params`.
                 * @example handling=strict
                 */
                Prefer?: components["parameters"]["Prefer"];
                /**
                 * @description A unique text of up to 255 characters. A retry with the same key gets the first reply for 24 hours.
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
                 * @description For organisation keys, which need it: the e-mail address of the member of the team whose mail this is about. Missing: 400 `invalid_params`; nobody who accepted to be in the team: 404 `not_found`.
                 * @example bo@example.org
                 */
                "X-On-Behalf-Of"?: components["parameters"]["OnBehalfOf"];
                /**
                 * @description `handling=strict` (RFC 7240) refuses unknown body fields and query parameters with 400 `invalid_params` before anything is changed. Otherwise they are ignored, and named in `X-Unknown-Params`.
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
                 * @description For organisation keys, which need it: the e-mail address of the member of the team whose mail this is about. Missing: 400 `invalid_params`; nobody who accepted to be in the team: 404 `not_found`.
                 * @example bo@example.org
                 */
                "X-On-Behalf-Of"?: components["parameters"]["OnBehalfOf"];
                /**
                 * @description `handling=strict` (RFC 7240) refuses unknown body fields and query parameters with 400 `invalid_params` before anything is changed. Otherwise they are ignored, and named in `X-Unknown-Params`.
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
                /** @description True: only VIPs; false: only contacts that are not VIPs. */
                vip?: boolean;
                /** @description Only these. Without it, `automated` ones are listed only with `q` or `vip=true`. */
                kind?: "person" | "role" | "automated";
                /** @description Page size. */
                limit?: number;
                /** @description `next_cursor` of the previous page. */
                cursor?: string;
            };
            header?: {
                /**
                 * @description For organisation keys, which need it: the e-mail address of the member of the team whose mail this is about. Missing: 400 `invalid_params`; nobody who accepted to be in the team: 404 `not_found`.
                 * @example bo@example.org
                 */
                "X-On-Behalf-Of"?: components["parameters"]["OnBehalfOf"];
                /**
                 * @description `handling=strict` (RFC 7240) refuses unknown body fields and query parameters with 400 `invalid_params` before anything is changed. Otherwise they are ignored, and named in `X-Unknown-Params`.
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
                 * @description For organisation keys, which need it: the e-mail address of the member of the team whose mail this is about. Missing: 400 `invalid_params`; nobody who accepted to be in the team: 404 `not_found`.
                 * @example bo@example.org
                 */
                "X-On-Behalf-Of"?: components["parameters"]["OnBehalfOf"];
                /**
                 * @description `handling=strict` (RFC 7240) refuses unknown body fields and query parameters with 400 `invalid_params` before anything is changed. Otherwise they are ignored, and named in `X-Unknown-Params`.
                 * @example handling=strict
                 */
                Prefer?: components["parameters"]["Prefer"];
                /**
                 * @description A unique text of up to 255 characters. A retry with the same key gets the first reply for 24 hours.
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
            507: components["responses"]["storage_full"];
        };
    };
    importContacts: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description For organisation keys, which need it: the e-mail address of the member of the team whose mail this is about. Missing: 400 `invalid_params`; nobody who accepted to be in the team: 404 `not_found`.
                 * @example bo@example.org
                 */
                "X-On-Behalf-Of"?: components["parameters"]["OnBehalfOf"];
                /**
                 * @description `handling=strict` (RFC 7240) refuses unknown body fields and query parameters with 400 `invalid_params` before anything is changed. Otherwise they are ignored, and named in `X-Unknown-Params`.
                 * @example handling=strict
                 */
                Prefer?: components["parameters"]["Prefer"];
                /**
                 * @description A unique text of up to 255 characters. A retry with the same key gets the first reply for 24 hours.
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
            507: components["responses"]["storage_full"];
        };
    };
    listRules: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description For organisation keys, which need it: the e-mail address of the member of the team whose mail this is about. Missing: 400 `invalid_params`; nobody who accepted to be in the team: 404 `not_found`.
                 * @example bo@example.org
                 */
                "X-On-Behalf-Of"?: components["parameters"]["OnBehalfOf"];
                /**
                 * @description `handling=strict` (RFC 7240) refuses unknown body fields and query parameters with 400 `invalid_params` before anything is changed. Otherwise they are ignored, and named in `X-Unknown-Params`.
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
                     *           "priority": 3
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
                 * @description For organisation keys, which need it: the e-mail address of the member of the team whose mail this is about. Missing: 400 `invalid_params`; nobody who accepted to be in the team: 404 `not_found`.
                 * @example bo@example.org
                 */
                "X-On-Behalf-Of"?: components["parameters"]["OnBehalfOf"];
                /**
                 * @description `handling=strict` (RFC 7240) refuses unknown body fields and query parameters with 400 `invalid_params` before anything is changed. Otherwise they are ignored, and named in `X-Unknown-Params`.
                 * @example handling=strict
                 */
                Prefer?: components["parameters"]["Prefer"];
                /**
                 * @description A unique text of up to 255 characters. A retry with the same key gets the first reply for 24 hours.
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
            507: components["responses"]["storage_full"];
        };
    };
    deleteRule: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description For organisation keys, which need it: the e-mail address of the member of the team whose mail this is about. Missing: 400 `invalid_params`; nobody who accepted to be in the team: 404 `not_found`.
                 * @example bo@example.org
                 */
                "X-On-Behalf-Of"?: components["parameters"]["OnBehalfOf"];
                /**
                 * @description `handling=strict` (RFC 7240) refuses unknown body fields and query parameters with 400 `invalid_params` before anything is changed. Otherwise they are ignored, and named in `X-Unknown-Params`.
                 * @example handling=strict
                 */
                Prefer?: components["parameters"]["Prefer"];
                /**
                 * @description A unique text of up to 255 characters. A retry with the same key gets the first reply for 24 hours.
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
            507: components["responses"]["storage_full"];
        };
    };
    previewRule: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description For organisation keys, which need it: the e-mail address of the member of the team whose mail this is about. Missing: 400 `invalid_params`; nobody who accepted to be in the team: 404 `not_found`.
                 * @example bo@example.org
                 */
                "X-On-Behalf-Of"?: components["parameters"]["OnBehalfOf"];
                /**
                 * @description `handling=strict` (RFC 7240) refuses unknown body fields and query parameters with 400 `invalid_params` before anything is changed. Otherwise they are ignored, and named in `X-Unknown-Params`.
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
                 * @description For organisation keys, which need it: the e-mail address of the member of the team whose mail this is about. Missing: 400 `invalid_params`; nobody who accepted to be in the team: 404 `not_found`.
                 * @example bo@example.org
                 */
                "X-On-Behalf-Of"?: components["parameters"]["OnBehalfOf"];
                /**
                 * @description `handling=strict` (RFC 7240) refuses unknown body fields and query parameters with 400 `invalid_params` before anything is changed. Otherwise they are ignored, and named in `X-Unknown-Params`.
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
                 * @description For organisation keys, which need it: the e-mail address of the member of the team whose mail this is about. Missing: 400 `invalid_params`; nobody who accepted to be in the team: 404 `not_found`.
                 * @example bo@example.org
                 */
                "X-On-Behalf-Of"?: components["parameters"]["OnBehalfOf"];
                /**
                 * @description `handling=strict` (RFC 7240) refuses unknown body fields and query parameters with 400 `invalid_params` before anything is changed. Otherwise they are ignored, and named in `X-Unknown-Params`.
                 * @example handling=strict
                 */
                Prefer?: components["parameters"]["Prefer"];
                /**
                 * @description A unique text of up to 255 characters. A retry with the same key gets the first reply for 24 hours.
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
                 * @description For organisation keys, which need it: the e-mail address of the member of the team whose mail this is about. Missing: 400 `invalid_params`; nobody who accepted to be in the team: 404 `not_found`.
                 * @example bo@example.org
                 */
                "X-On-Behalf-Of"?: components["parameters"]["OnBehalfOf"];
                /**
                 * @description `handling=strict` (RFC 7240) refuses unknown body fields and query parameters with 400 `invalid_params` before anything is changed. Otherwise they are ignored, and named in `X-Unknown-Params`.
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
                 * @description For organisation keys, which need it: the e-mail address of the member of the team whose mail this is about. Missing: 400 `invalid_params`; nobody who accepted to be in the team: 404 `not_found`.
                 * @example bo@example.org
                 */
                "X-On-Behalf-Of"?: components["parameters"]["OnBehalfOf"];
                /**
                 * @description `handling=strict` (RFC 7240) refuses unknown body fields and query parameters with 400 `invalid_params` before anything is changed. Otherwise they are ignored, and named in `X-Unknown-Params`.
                 * @example handling=strict
                 */
                Prefer?: components["parameters"]["Prefer"];
                /**
                 * @description A unique text of up to 255 characters. A retry with the same key gets the first reply for 24 hours.
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
            507: components["responses"]["storage_full"];
        };
    };
    getContextProfile: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description For organisation keys, which need it: the e-mail address of the member of the team whose mail this is about. Missing: 400 `invalid_params`; nobody who accepted to be in the team: 404 `not_found`.
                 * @example bo@example.org
                 */
                "X-On-Behalf-Of"?: components["parameters"]["OnBehalfOf"];
                /**
                 * @description `handling=strict` (RFC 7240) refuses unknown body fields and query parameters with 400 `invalid_params` before anything is changed. Otherwise they are ignored, and named in `X-Unknown-Params`.
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
                 * @description For organisation keys, which need it: the e-mail address of the member of the team whose mail this is about. Missing: 400 `invalid_params`; nobody who accepted to be in the team: 404 `not_found`.
                 * @example bo@example.org
                 */
                "X-On-Behalf-Of"?: components["parameters"]["OnBehalfOf"];
                /**
                 * @description `handling=strict` (RFC 7240) refuses unknown body fields and query parameters with 400 `invalid_params` before anything is changed. Otherwise they are ignored, and named in `X-Unknown-Params`.
                 * @example handling=strict
                 */
                Prefer?: components["parameters"]["Prefer"];
                /**
                 * @description A unique text of up to 255 characters. A retry with the same key gets the first reply for 24 hours.
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
            507: components["responses"]["storage_full"];
        };
    };
    updateContextProfile: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description For organisation keys, which need it: the e-mail address of the member of the team whose mail this is about. Missing: 400 `invalid_params`; nobody who accepted to be in the team: 404 `not_found`.
                 * @example bo@example.org
                 */
                "X-On-Behalf-Of"?: components["parameters"]["OnBehalfOf"];
                /**
                 * @description `handling=strict` (RFC 7240) refuses unknown body fields and query parameters with 400 `invalid_params` before anything is changed. Otherwise they are ignored, and named in `X-Unknown-Params`.
                 * @example handling=strict
                 */
                Prefer?: components["parameters"]["Prefer"];
                /**
                 * @description A unique text of up to 255 characters. A retry with the same key gets the first reply for 24 hours.
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
            507: components["responses"]["storage_full"];
        };
    };
    listContextVariables: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description For organisation keys, which need it: the e-mail address of the member of the team whose mail this is about. Missing: 400 `invalid_params`; nobody who accepted to be in the team: 404 `not_found`.
                 * @example bo@example.org
                 */
                "X-On-Behalf-Of"?: components["parameters"]["OnBehalfOf"];
                /**
                 * @description `handling=strict` (RFC 7240) refuses unknown body fields and query parameters with 400 `invalid_params` before anything is changed. Otherwise they are ignored, and named in `X-Unknown-Params`.
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
                 * @description For organisation keys, which need it: the e-mail address of the member of the team whose mail this is about. Missing: 400 `invalid_params`; nobody who accepted to be in the team: 404 `not_found`.
                 * @example bo@example.org
                 */
                "X-On-Behalf-Of"?: components["parameters"]["OnBehalfOf"];
                /**
                 * @description `handling=strict` (RFC 7240) refuses unknown body fields and query parameters with 400 `invalid_params` before anything is changed. Otherwise they are ignored, and named in `X-Unknown-Params`.
                 * @example handling=strict
                 */
                Prefer?: components["parameters"]["Prefer"];
                /**
                 * @description A unique text of up to 255 characters. A retry with the same key gets the first reply for 24 hours.
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
            507: components["responses"]["storage_full"];
        };
    };
    deleteContextVariable: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description For organisation keys, which need it: the e-mail address of the member of the team whose mail this is about. Missing: 400 `invalid_params`; nobody who accepted to be in the team: 404 `not_found`.
                 * @example bo@example.org
                 */
                "X-On-Behalf-Of"?: components["parameters"]["OnBehalfOf"];
                /**
                 * @description `handling=strict` (RFC 7240) refuses unknown body fields and query parameters with 400 `invalid_params` before anything is changed. Otherwise they are ignored, and named in `X-Unknown-Params`.
                 * @example handling=strict
                 */
                Prefer?: components["parameters"]["Prefer"];
                /**
                 * @description A unique text of up to 255 characters. A retry with the same key gets the first reply for 24 hours.
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
                 * @description For organisation keys, which need it: the e-mail address of the member of the team whose mail this is about. Missing: 400 `invalid_params`; nobody who accepted to be in the team: 404 `not_found`.
                 * @example bo@example.org
                 */
                "X-On-Behalf-Of"?: components["parameters"]["OnBehalfOf"];
                /**
                 * @description `handling=strict` (RFC 7240) refuses unknown body fields and query parameters with 400 `invalid_params` before anything is changed. Otherwise they are ignored, and named in `X-Unknown-Params`.
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
                 * @description For organisation keys, which need it: the e-mail address of the member of the team whose mail this is about. Missing: 400 `invalid_params`; nobody who accepted to be in the team: 404 `not_found`.
                 * @example bo@example.org
                 */
                "X-On-Behalf-Of"?: components["parameters"]["OnBehalfOf"];
                /**
                 * @description `handling=strict` (RFC 7240) refuses unknown body fields and query parameters with 400 `invalid_params` before anything is changed. Otherwise they are ignored, and named in `X-Unknown-Params`.
                 * @example handling=strict
                 */
                Prefer?: components["parameters"]["Prefer"];
                /**
                 * @description A unique text of up to 255 characters. A retry with the same key gets the first reply for 24 hours.
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
            507: components["responses"]["storage_full"];
        };
    };
    getContextFileContent: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description For organisation keys, which need it: the e-mail address of the member of the team whose mail this is about. Missing: 400 `invalid_params`; nobody who accepted to be in the team: 404 `not_found`.
                 * @example bo@example.org
                 */
                "X-On-Behalf-Of"?: components["parameters"]["OnBehalfOf"];
                /**
                 * @description `handling=strict` (RFC 7240) refuses unknown body fields and query parameters with 400 `invalid_params` before anything is changed. Otherwise they are ignored, and named in `X-Unknown-Params`.
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
                 * @description For organisation keys, which need it: the e-mail address of the member of the team whose mail this is about. Missing: 400 `invalid_params`; nobody who accepted to be in the team: 404 `not_found`.
                 * @example bo@example.org
                 */
                "X-On-Behalf-Of"?: components["parameters"]["OnBehalfOf"];
                /**
                 * @description `handling=strict` (RFC 7240) refuses unknown body fields and query parameters with 400 `invalid_params` before anything is changed. Otherwise they are ignored, and named in `X-Unknown-Params`.
                 * @example handling=strict
                 */
                Prefer?: components["parameters"]["Prefer"];
                /**
                 * @description A unique text of up to 255 characters. A retry with the same key gets the first reply for 24 hours.
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
            507: components["responses"]["storage_full"];
        };
    };
    listCalendarEvents: {
        parameters: {
            query: {
                /** @description Beginning of the window, inclusive. */
                from: string;
                /** @description End of the window, exclusive; at most 800 days later. */
                to: string;
            };
            header?: {
                /**
                 * @description For organisation keys, which need it: the e-mail address of the member of the team whose mail this is about. Missing: 400 `invalid_params`; nobody who accepted to be in the team: 404 `not_found`.
                 * @example bo@example.org
                 */
                "X-On-Behalf-Of"?: components["parameters"]["OnBehalfOf"];
                /**
                 * @description `handling=strict` (RFC 7240) refuses unknown body fields and query parameters with 400 `invalid_params` before anything is changed. Otherwise they are ignored, and named in `X-Unknown-Params`.
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
                 * @description For organisation keys, which need it: the e-mail address of the member of the team whose mail this is about. Missing: 400 `invalid_params`; nobody who accepted to be in the team: 404 `not_found`.
                 * @example bo@example.org
                 */
                "X-On-Behalf-Of"?: components["parameters"]["OnBehalfOf"];
                /**
                 * @description `handling=strict` (RFC 7240) refuses unknown body fields and query parameters with 400 `invalid_params` before anything is changed. Otherwise they are ignored, and named in `X-Unknown-Params`.
                 * @example handling=strict
                 */
                Prefer?: components["parameters"]["Prefer"];
                /**
                 * @description A unique text of up to 255 characters. A retry with the same key gets the first reply for 24 hours.
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
            507: components["responses"]["storage_full"];
        };
    };
    deleteCalendarEvent: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description For organisation keys, which need it: the e-mail address of the member of the team whose mail this is about. Missing: 400 `invalid_params`; nobody who accepted to be in the team: 404 `not_found`.
                 * @example bo@example.org
                 */
                "X-On-Behalf-Of"?: components["parameters"]["OnBehalfOf"];
                /**
                 * @description `handling=strict` (RFC 7240) refuses unknown body fields and query parameters with 400 `invalid_params` before anything is changed. Otherwise they are ignored, and named in `X-Unknown-Params`.
                 * @example handling=strict
                 */
                Prefer?: components["parameters"]["Prefer"];
                /**
                 * @description A unique text of up to 255 characters. A retry with the same key gets the first reply for 24 hours.
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
            507: components["responses"]["storage_full"];
        };
    };
    listEvents: {
        parameters: {
            query?: {
                /** @description Page size. */
                limit?: number;
                /** @description `cursor` of an earlier page, or `latest` for what happens from now on. Absent: the oldest event kept. */
                after?: string;
                /** @description Only these events, separated by commas. */
                types?: string;
            };
            header?: {
                /**
                 * @description For organisation keys, which need it: the e-mail address of the member of the team whose mail this is about. Missing: 400 `invalid_params`; nobody who accepted to be in the team: 404 `not_found`.
                 * @example bo@example.org
                 */
                "X-On-Behalf-Of"?: components["parameters"]["OnBehalfOf"];
                /**
                 * @description `handling=strict` (RFC 7240) refuses unknown body fields and query parameters with 400 `invalid_params` before anything is changed. Otherwise they are ignored, and named in `X-Unknown-Params`.
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
                 * @description For organisation keys, which need it: the e-mail address of the member of the team whose mail this is about. Missing: 400 `invalid_params`; nobody who accepted to be in the team: 404 `not_found`.
                 * @example bo@example.org
                 */
                "X-On-Behalf-Of"?: components["parameters"]["OnBehalfOf"];
                /**
                 * @description `handling=strict` (RFC 7240) refuses unknown body fields and query parameters with 400 `invalid_params` before anything is changed. Otherwise they are ignored, and named in `X-Unknown-Params`.
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
                 * @description For organisation keys, which need it: the e-mail address of the member of the team whose mail this is about. Missing: 400 `invalid_params`; nobody who accepted to be in the team: 404 `not_found`.
                 * @example bo@example.org
                 */
                "X-On-Behalf-Of"?: components["parameters"]["OnBehalfOf"];
                /**
                 * @description `handling=strict` (RFC 7240) refuses unknown body fields and query parameters with 400 `invalid_params` before anything is changed. Otherwise they are ignored, and named in `X-Unknown-Params`.
                 * @example handling=strict
                 */
                Prefer?: components["parameters"]["Prefer"];
                /**
                 * @description A unique text of up to 255 characters. A retry with the same key gets the first reply for 24 hours.
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
            507: components["responses"]["storage_full"];
        };
    };
    getWebhook: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description For organisation keys, which need it: the e-mail address of the member of the team whose mail this is about. Missing: 400 `invalid_params`; nobody who accepted to be in the team: 404 `not_found`.
                 * @example bo@example.org
                 */
                "X-On-Behalf-Of"?: components["parameters"]["OnBehalfOf"];
                /**
                 * @description `handling=strict` (RFC 7240) refuses unknown body fields and query parameters with 400 `invalid_params` before anything is changed. Otherwise they are ignored, and named in `X-Unknown-Params`.
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
                 * @description For organisation keys, which need it: the e-mail address of the member of the team whose mail this is about. Missing: 400 `invalid_params`; nobody who accepted to be in the team: 404 `not_found`.
                 * @example bo@example.org
                 */
                "X-On-Behalf-Of"?: components["parameters"]["OnBehalfOf"];
                /**
                 * @description `handling=strict` (RFC 7240) refuses unknown body fields and query parameters with 400 `invalid_params` before anything is changed. Otherwise they are ignored, and named in `X-Unknown-Params`.
                 * @example handling=strict
                 */
                Prefer?: components["parameters"]["Prefer"];
                /**
                 * @description A unique text of up to 255 characters. A retry with the same key gets the first reply for 24 hours.
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
            /** @description Done; no body. */
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
            507: components["responses"]["storage_full"];
        };
    };
    updateWebhook: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description For organisation keys, which need it: the e-mail address of the member of the team whose mail this is about. Missing: 400 `invalid_params`; nobody who accepted to be in the team: 404 `not_found`.
                 * @example bo@example.org
                 */
                "X-On-Behalf-Of"?: components["parameters"]["OnBehalfOf"];
                /**
                 * @description `handling=strict` (RFC 7240) refuses unknown body fields and query parameters with 400 `invalid_params` before anything is changed. Otherwise they are ignored, and named in `X-Unknown-Params`.
                 * @example handling=strict
                 */
                Prefer?: components["parameters"]["Prefer"];
                /**
                 * @description A unique text of up to 255 characters. A retry with the same key gets the first reply for 24 hours.
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
            507: components["responses"]["storage_full"];
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description For organisation keys, which need it: the e-mail address of the member of the team whose mail this is about. Missing: 400 `invalid_params`; nobody who accepted to be in the team: 404 `not_found`.
                 * @example bo@example.org
                 */
                "X-On-Behalf-Of"?: components["parameters"]["OnBehalfOf"];
                /**
                 * @description `handling=strict` (RFC 7240) refuses unknown body fields and query parameters with 400 `invalid_params` before anything is changed. Otherwise they are ignored, and named in `X-Unknown-Params`.
                 * @example handling=strict
                 */
                Prefer?: components["parameters"]["Prefer"];
                /**
                 * @description A unique text of up to 255 characters. A retry with the same key gets the first reply for 24 hours.
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
                 * @description For organisation keys, which need it: the e-mail address of the member of the team whose mail this is about. Missing: 400 `invalid_params`; nobody who accepted to be in the team: 404 `not_found`.
                 * @example bo@example.org
                 */
                "X-On-Behalf-Of"?: components["parameters"]["OnBehalfOf"];
                /**
                 * @description `handling=strict` (RFC 7240) refuses unknown body fields and query parameters with 400 `invalid_params` before anything is changed. Otherwise they are ignored, and named in `X-Unknown-Params`.
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
                 * @description For organisation keys, which need it: the e-mail address of the member of the team whose mail this is about. Missing: 400 `invalid_params`; nobody who accepted to be in the team: 404 `not_found`.
                 * @example bo@example.org
                 */
                "X-On-Behalf-Of"?: components["parameters"]["OnBehalfOf"];
                /**
                 * @description `handling=strict` (RFC 7240) refuses unknown body fields and query parameters with 400 `invalid_params` before anything is changed. Otherwise they are ignored, and named in `X-Unknown-Params`.
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
                 * @description For organisation keys, which need it: the e-mail address of the member of the team whose mail this is about. Missing: 400 `invalid_params`; nobody who accepted to be in the team: 404 `not_found`.
                 * @example bo@example.org
                 */
                "X-On-Behalf-Of"?: components["parameters"]["OnBehalfOf"];
                /**
                 * @description `handling=strict` (RFC 7240) refuses unknown body fields and query parameters with 400 `invalid_params` before anything is changed. Otherwise they are ignored, and named in `X-Unknown-Params`.
                 * @example handling=strict
                 */
                Prefer?: components["parameters"]["Prefer"];
                /**
                 * @description A unique text of up to 255 characters. A retry with the same key gets the first reply for 24 hours.
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
            507: components["responses"]["storage_full"];
        };
    };
    getLatestBrief: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description For organisation keys, which need it: the e-mail address of the member of the team whose mail this is about. Missing: 400 `invalid_params`; nobody who accepted to be in the team: 404 `not_found`.
                 * @example bo@example.org
                 */
                "X-On-Behalf-Of"?: components["parameters"]["OnBehalfOf"];
                /**
                 * @description `handling=strict` (RFC 7240) refuses unknown body fields and query parameters with 400 `invalid_params` before anything is changed. Otherwise they are ignored, and named in `X-Unknown-Params`.
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
                     *           "why": "Asked 2 days ago: “Could you send me the signed contract?”, wanted on Friday.",
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
                     *           "start": "2026-03-02T13:00:00.000Z"
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
                 * @description For organisation keys, which need it: the e-mail address of the member of the team whose mail this is about. Missing: 400 `invalid_params`; nobody who accepted to be in the team: 404 `not_found`.
                 * @example bo@example.org
                 */
                "X-On-Behalf-Of"?: components["parameters"]["OnBehalfOf"];
                /**
                 * @description `handling=strict` (RFC 7240) refuses unknown body fields and query parameters with 400 `invalid_params` before anything is changed. Otherwise they are ignored, and named in `X-Unknown-Params`.
                 * @example handling=strict
                 */
                Prefer?: components["parameters"]["Prefer"];
                /**
                 * @description A unique text of up to 255 characters. A retry with the same key gets the first reply for 24 hours.
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
            507: components["responses"]["storage_full"];
        };
    };
    getBriefSettings: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description For organisation keys, which need it: the e-mail address of the member of the team whose mail this is about. Missing: 400 `invalid_params`; nobody who accepted to be in the team: 404 `not_found`.
                 * @example bo@example.org
                 */
                "X-On-Behalf-Of"?: components["parameters"]["OnBehalfOf"];
                /**
                 * @description `handling=strict` (RFC 7240) refuses unknown body fields and query parameters with 400 `invalid_params` before anything is changed. Otherwise they are ignored, and named in `X-Unknown-Params`.
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
                 * @description For organisation keys, which need it: the e-mail address of the member of the team whose mail this is about. Missing: 400 `invalid_params`; nobody who accepted to be in the team: 404 `not_found`.
                 * @example bo@example.org
                 */
                "X-On-Behalf-Of"?: components["parameters"]["OnBehalfOf"];
                /**
                 * @description `handling=strict` (RFC 7240) refuses unknown body fields and query parameters with 400 `invalid_params` before anything is changed. Otherwise they are ignored, and named in `X-Unknown-Params`.
                 * @example handling=strict
                 */
                Prefer?: components["parameters"]["Prefer"];
                /**
                 * @description A unique text of up to 255 characters. A retry with the same key gets the first reply for 24 hours.
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
            507: components["responses"]["storage_full"];
        };
    };
    askInbox: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description For organisation keys, which need it: the e-mail address of the member of the team whose mail this is about. Missing: 400 `invalid_params`; nobody who accepted to be in the team: 404 `not_found`.
                 * @example bo@example.org
                 */
                "X-On-Behalf-Of"?: components["parameters"]["OnBehalfOf"];
                /**
                 * @description `handling=strict` (RFC 7240) refuses unknown body fields and query parameters with 400 `invalid_params` before anything is changed. Otherwise they are ignored, and named in `X-Unknown-Params`.
                 * @example handling=strict
                 */
                Prefer?: components["parameters"]["Prefer"];
                /**
                 * @description A unique text of up to 255 characters. A retry with the same key gets the first reply for 24 hours.
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
                     *       "answer": "Maria Silva on 2 March 2026: “The contract ends on 30 June 2026.”",
                     *       "citations": [
                     *         {
                     *           "message_id": "msg_01jz4t9h2m8q5r7v3w6x0y1z2b",
                     *           "thread_id": "thr_01jz4t9h2m8q5r7v3w6x0y1z2a",
                     *           "quote": "The contract ends on 30 June 2026.",
                     *           "start": 41,
                     *           "end": 75
                     *         }
                     *       ],
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
            507: components["responses"]["storage_full"];
        };
    };
    summarizeThread: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description For organisation keys, which need it: the e-mail address of the member of the team whose mail this is about. Missing: 400 `invalid_params`; nobody who accepted to be in the team: 404 `not_found`.
                 * @example bo@example.org
                 */
                "X-On-Behalf-Of"?: components["parameters"]["OnBehalfOf"];
                /**
                 * @description `handling=strict` (RFC 7240) refuses unknown body fields and query parameters with 400 `invalid_params` before anything is changed. Otherwise they are ignored, and named in `X-Unknown-Params`.
                 * @example handling=strict
                 */
                Prefer?: components["parameters"]["Prefer"];
                /**
                 * @description A unique text of up to 255 characters. A retry with the same key gets the first reply for 24 hours.
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
            507: components["responses"]["storage_full"];
        };
    };
    extractFromThread: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description For organisation keys, which need it: the e-mail address of the member of the team whose mail this is about. Missing: 400 `invalid_params`; nobody who accepted to be in the team: 404 `not_found`.
                 * @example bo@example.org
                 */
                "X-On-Behalf-Of"?: components["parameters"]["OnBehalfOf"];
                /**
                 * @description `handling=strict` (RFC 7240) refuses unknown body fields and query parameters with 400 `invalid_params` before anything is changed. Otherwise they are ignored, and named in `X-Unknown-Params`.
                 * @example handling=strict
                 */
                Prefer?: components["parameters"]["Prefer"];
                /**
                 * @description A unique text of up to 255 characters. A retry with the same key gets the first reply for 24 hours.
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
            507: components["responses"]["storage_full"];
        };
    };
    getAiEngine: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description For organisation keys, which need it: the e-mail address of the member of the team whose mail this is about. Missing: 400 `invalid_params`; nobody who accepted to be in the team: 404 `not_found`.
                 * @example bo@example.org
                 */
                "X-On-Behalf-Of"?: components["parameters"]["OnBehalfOf"];
                /**
                 * @description `handling=strict` (RFC 7240) refuses unknown body fields and query parameters with 400 `invalid_params` before anything is changed. Otherwise they are ignored, and named in `X-Unknown-Params`.
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
                     *       "model": "qwen3:4b",
                     *       "host": "127.0.0.1:11434",
                     *       "problem": null,
                     *       "found": [
                     *         {
                     *           "kind": "ollama",
                     *           "base_url": "http://127.0.0.1:11434/v1",
                     *           "models": [
                     *             "qwen3:4b"
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
                 * @description For organisation keys, which need it: the e-mail address of the member of the team whose mail this is about. Missing: 400 `invalid_params`; nobody who accepted to be in the team: 404 `not_found`.
                 * @example bo@example.org
                 */
                "X-On-Behalf-Of"?: components["parameters"]["OnBehalfOf"];
                /**
                 * @description `handling=strict` (RFC 7240) refuses unknown body fields and query parameters with 400 `invalid_params` before anything is changed. Otherwise they are ignored, and named in `X-Unknown-Params`.
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
                     *           "model": "qwen3:4b",
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
                 * @description For organisation keys, which need it: the e-mail address of the member of the team whose mail this is about. Missing: 400 `invalid_params`; nobody who accepted to be in the team: 404 `not_found`.
                 * @example bo@example.org
                 */
                "X-On-Behalf-Of"?: components["parameters"]["OnBehalfOf"];
                /**
                 * @description `handling=strict` (RFC 7240) refuses unknown body fields and query parameters with 400 `invalid_params` before anything is changed. Otherwise they are ignored, and named in `X-Unknown-Params`.
                 * @example handling=strict
                 */
                Prefer?: components["parameters"]["Prefer"];
                /**
                 * @description A unique text of up to 255 characters. A retry with the same key gets the first reply for 24 hours.
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
                     *           "action": "triaged",
                     *           "mode": "autopilot",
                     *           "state": "done",
                     *           "reason": "Somebody asks something that is not answered yet.",
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
                 * @description For organisation keys, which need it: the e-mail address of the member of the team whose mail this is about. Missing: 400 `invalid_params`; nobody who accepted to be in the team: 404 `not_found`.
                 * @example bo@example.org
                 */
                "X-On-Behalf-Of"?: components["parameters"]["OnBehalfOf"];
                /**
                 * @description `handling=strict` (RFC 7240) refuses unknown body fields and query parameters with 400 `invalid_params` before anything is changed. Otherwise they are ignored, and named in `X-Unknown-Params`.
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
                     *           "action": "triaged",
                     *           "mode": "autopilot",
                     *           "state": "done",
                     *           "reason": "Somebody asks something that is not answered yet.",
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
                 * @description For organisation keys, which need it: the e-mail address of the member of the team whose mail this is about. Missing: 400 `invalid_params`; nobody who accepted to be in the team: 404 `not_found`.
                 * @example bo@example.org
                 */
                "X-On-Behalf-Of"?: components["parameters"]["OnBehalfOf"];
                /**
                 * @description `handling=strict` (RFC 7240) refuses unknown body fields and query parameters with 400 `invalid_params` before anything is changed. Otherwise they are ignored, and named in `X-Unknown-Params`.
                 * @example handling=strict
                 */
                Prefer?: components["parameters"]["Prefer"];
                /**
                 * @description A unique text of up to 255 characters. A retry with the same key gets the first reply for 24 hours.
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
                     *       "action": "triaged",
                     *       "mode": "autopilot",
                     *       "state": "undone",
                     *       "reason": "Somebody asks something that is not answered yet.",
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
            507: components["responses"]["storage_full"];
        };
    };
    search: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description For organisation keys, which need it: the e-mail address of the member of the team whose mail this is about. Missing: 400 `invalid_params`; nobody who accepted to be in the team: 404 `not_found`.
                 * @example bo@example.org
                 */
                "X-On-Behalf-Of"?: components["parameters"]["OnBehalfOf"];
                /**
                 * @description `handling=strict` (RFC 7240) refuses unknown body fields and query parameters with 400 `invalid_params` before anything is changed. Otherwise they are ignored, and named in `X-Unknown-Params`.
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
    getUsage: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description For organisation keys, which need it: the e-mail address of the member of the team whose mail this is about. Missing: 400 `invalid_params`; nobody who accepted to be in the team: 404 `not_found`.
                 * @example bo@example.org
                 */
                "X-On-Behalf-Of"?: components["parameters"]["OnBehalfOf"];
                /**
                 * @description `handling=strict` (RFC 7240) refuses unknown body fields and query parameters with 400 `invalid_params` before anything is changed. Otherwise they are ignored, and named in `X-Unknown-Params`.
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
                /** @description Only changes of the thing with this id. */
                target?: string;
            };
            header?: {
                /**
                 * @description For organisation keys, which need it: the e-mail address of the member of the team whose mail this is about. Missing: 400 `invalid_params`; nobody who accepted to be in the team: 404 `not_found`.
                 * @example bo@example.org
                 */
                "X-On-Behalf-Of"?: components["parameters"]["OnBehalfOf"];
                /**
                 * @description `handling=strict` (RFC 7240) refuses unknown body fields and query parameters with 400 `invalid_params` before anything is changed. Otherwise they are ignored, and named in `X-Unknown-Params`.
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
                /** @description `t=<unix seconds>,v1=<hex>`, one `v1` for each secret that is valid. */
                "X-Service-Signature": string;
                /** @description The event's `id`: the same at every attempt. */
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
            /** @description Received. Anything else, or nothing within 15 seconds, is tried again. */
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
                /** @description `t=<unix seconds>,v1=<hex>`, one `v1` for each secret that is valid. */
                "X-Service-Signature": string;
                /** @description The event's `id`: the same at every attempt. */
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
            /** @description Received. Anything else, or nothing within 15 seconds, is tried again. */
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
                /** @description `t=<unix seconds>,v1=<hex>`, one `v1` for each secret that is valid. */
                "X-Service-Signature": string;
                /** @description The event's `id`: the same at every attempt. */
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
            /** @description Received. Anything else, or nothing within 15 seconds, is tried again. */
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
                /** @description `t=<unix seconds>,v1=<hex>`, one `v1` for each secret that is valid. */
                "X-Service-Signature": string;
                /** @description The event's `id`: the same at every attempt. */
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
            /** @description Received. Anything else, or nothing within 15 seconds, is tried again. */
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
                /** @description `t=<unix seconds>,v1=<hex>`, one `v1` for each secret that is valid. */
                "X-Service-Signature": string;
                /** @description The event's `id`: the same at every attempt. */
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
            /** @description Received. Anything else, or nothing within 15 seconds, is tried again. */
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
                /** @description `t=<unix seconds>,v1=<hex>`, one `v1` for each secret that is valid. */
                "X-Service-Signature": string;
                /** @description The event's `id`: the same at every attempt. */
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
                        thread_id: string | null;
                    };
                };
            };
        };
        responses: {
            /** @description Received. Anything else, or nothing within 15 seconds, is tried again. */
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
                /** @description `t=<unix seconds>,v1=<hex>`, one `v1` for each secret that is valid. */
                "X-Service-Signature": string;
                /** @description The event's `id`: the same at every attempt. */
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
            /** @description Received. Anything else, or nothing within 15 seconds, is tried again. */
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
                /** @description `t=<unix seconds>,v1=<hex>`, one `v1` for each secret that is valid. */
                "X-Service-Signature": string;
                /** @description The event's `id`: the same at every attempt. */
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
            /** @description Received. Anything else, or nothing within 15 seconds, is tried again. */
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
                /** @description `t=<unix seconds>,v1=<hex>`, one `v1` for each secret that is valid. */
                "X-Service-Signature": string;
                /** @description The event's `id`: the same at every attempt. */
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
            /** @description Received. Anything else, or nothing within 15 seconds, is tried again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
