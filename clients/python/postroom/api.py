"""Types and operations of the Postroom API.

Generated from the OpenAPI document. Do not edit: run "bun tools/clients/generate.ts" instead.
"""

from __future__ import annotations

from typing import Any, Dict, List, Literal, Optional, TypedDict, Union
from urllib.parse import quote


def _quote(text: str) -> str:
    return quote(text, safe="")


AccountSync = TypedDict("AccountSync", {
    "phase": 'Literal["waiting", "importing", "live"]',
    "done": 'int',
    "total": 'int',
})

# Progress of the full-text index. New mail is indexed at once. After an upgrade, earlier mail is indexed again in the background, newest first.
AccountSearchFullText = TypedDict("AccountSearchFullText", {
    "done": 'int',
    "total": 'int',
})

AccountSearch = TypedDict("AccountSearch", {
    "done": 'int',
    "total": 'int',
    "full_text": 'AccountSearchFullText',
})

Account = TypedDict("Account", {
    "id": 'str',
    "provider": 'Literal["imap", "gmail", "outlook", "sandbox", "imported"]',
    "email": 'str',
    "status": 'Literal["active", "connecting", "auth_failed", "unreachable", "paused"]',
    "last_sync_at": 'Optional[str]',
    "last_error": 'Optional[str]',
    "sync": 'AccountSync',
    "search": 'AccountSearch',
})

_AccountListAlways = TypedDict("_AccountListAlways", {
    "data": 'List[Account]',
    "has_more": 'bool',
})
_AccountListSometimes = TypedDict("_AccountListSometimes", {
    "next_cursor": 'str',
}, total=False)


class AccountList(_AccountListAlways, _AccountListSometimes):
    pass


# Sender of that message; null if the message was deleted.
AgentActionFrom = TypedDict("AgentActionFrom", {
    "name": 'str',
    "email": 'str',
})

AgentActionChangesCategory = TypedDict("AgentActionChangesCategory", {
    "from": 'str',
    "to": 'str',
})

AgentActionChanges = TypedDict("AgentActionChanges", {
    "labels": 'List[str]',
    "category": 'Optional[AgentActionChangesCategory]',
    "archived": 'bool',
})

AgentActionEvidence = TypedDict("AgentActionEvidence", {
    "message_id": 'str',
    "quote": 'str',
    "start": 'int',
    "end": 'int',
})

# The call that undoes the action.
AgentActionUndo = TypedDict("AgentActionUndo", {
    "method": 'Literal["POST"]',
    "path": 'str',
})

AgentAction = TypedDict("AgentAction", {
    "id": 'str',
    "thread_id": 'str',
    "message_id": 'str',
    "subject": 'Optional[str]',
    "from": 'Optional[AgentActionFrom]',
    "action": 'Literal["drafted", "followup", "triaged"]',
    "mode": 'Literal["suggest", "draft", "autopilot"]',
    "state": 'Literal["suggested", "done", "undone"]',
    "reason": 'str',
    "engine": 'Optional[str]',
    "draft_id": 'Optional[str]',
    "changes": 'AgentActionChanges',
    "evidence": 'Optional[AgentActionEvidence]',
    "created_at": 'str',
    "undo": 'Optional[AgentActionUndo]',
})

_AgentActionListAlways = TypedDict("_AgentActionListAlways", {
    "data": 'List[AgentAction]',
    "has_more": 'bool',
})
_AgentActionListSometimes = TypedDict("_AgentActionListSometimes", {
    "next_cursor": 'str',
}, total=False)


class AgentActionList(_AgentActionListAlways, _AgentActionListSometimes):
    pass


AgentRun = TypedDict("AgentRun", {
    "looked_at": 'int',
    "actions": 'List[AgentAction]',
    "capped": 'bool',
})

_AnswerCitationsItemAlways = TypedDict("_AnswerCitationsItemAlways", {
    "message_id": 'str',
    "thread_id": 'str',
    "quote": 'str',
    "start": 'int',
    "end": 'int',
})
_AnswerCitationsItemSometimes = TypedDict("_AnswerCitationsItemSometimes", {
    "attachment_id": 'str',
}, total=False)


class AnswerCitationsItem(_AnswerCitationsItemAlways, _AnswerCitationsItemSometimes):
    pass


_AnswerPossibleItemAlways = TypedDict("_AnswerPossibleItemAlways", {
    "message_id": 'str',
    "thread_id": 'str',
    "quote": 'str',
    "start": 'int',
    "end": 'int',
})
_AnswerPossibleItemSometimes = TypedDict("_AnswerPossibleItemSometimes", {
    "attachment_id": 'str',
}, total=False)


class AnswerPossibleItem(_AnswerPossibleItemAlways, _AnswerPossibleItemSometimes):
    pass


_AnswerReplacedItemAlways = TypedDict("_AnswerReplacedItemAlways", {
    "message_id": 'str',
    "thread_id": 'str',
    "quote": 'str',
    "start": 'int',
    "end": 'int',
})
_AnswerReplacedItemSometimes = TypedDict("_AnswerReplacedItemSometimes", {
    "attachment_id": 'str',
}, total=False)


class AnswerReplacedItem(_AnswerReplacedItemAlways, _AnswerReplacedItemSometimes):
    pass


Answer = TypedDict("Answer", {
    "answered": 'bool',
    "answer": 'str',
    "confidence": 'Optional[float]',
    "citations": 'List[AnswerCitationsItem]',
    "possible": 'List[AnswerPossibleItem]',
    "replaced": 'List[AnswerReplacedItem]',
    "fallback": 'Optional[str]',
    "credits_spent": 'int',
    "engine": 'Literal["extractive", "local", "hosted"]',
})

_AuditEntryActorAlways = TypedDict("_AuditEntryActorAlways", {
    "kind": 'Literal["key", "user", "assistant", "rule", "agent", "system"]',
    "id": 'Optional[str]',
})
_AuditEntryActorSometimes = TypedDict("_AuditEntryActorSometimes", {
    "tool": 'str',
}, total=False)


# Who made the change: an API key, a person, an assistant, a rule, the agent, or the service itself.
class AuditEntryActor(_AuditEntryActorAlways, _AuditEntryActorSometimes):
    pass


AuditEntry = TypedDict("AuditEntry", {
    "id": 'str',
    "actor": 'AuditEntryActor',
    "action": 'str',
    "target": 'Optional[str]',
    "before": 'Any',
    "after": 'Any',
    "request_id": 'Optional[str]',
    "at": 'str',
})

_AuditListAlways = TypedDict("_AuditListAlways", {
    "data": 'List[AuditEntry]',
    "has_more": 'bool',
})
_AuditListSometimes = TypedDict("_AuditListSometimes", {
    "next_cursor": 'str',
}, total=False)


class AuditList(_AuditListAlways, _AuditListSometimes):
    pass


BriefNeedsReplyItemFrom = TypedDict("BriefNeedsReplyItemFrom", {
    "name": 'str',
    "email": 'str',
})

BriefNeedsReplyItem = TypedDict("BriefNeedsReplyItem", {
    "thread_id": 'str',
    "from": 'BriefNeedsReplyItemFrom',
    "why": 'str',
    "subject": 'str',
    "asked_at": 'str',
    "due": 'Optional[str]',
    "vip": 'bool',
    "message_id": 'str',
    "quote": 'str',
    "start": 'int',
    "end": 'int',
})

BriefCommitmentsItemWith = TypedDict("BriefCommitmentsItemWith", {
    "name": 'str',
    "email": 'str',
})

BriefCommitmentsItem = TypedDict("BriefCommitmentsItem", {
    "thread_id": 'str',
    "promise": 'str',
    "by": 'Literal["me", "them"]',
    "with": 'BriefCommitmentsItemWith',
    "said_at": 'str',
    "overdue": 'bool',
    "message_id": 'str',
    "quote": 'str',
    "start": 'int',
    "end": 'int',
    "due": 'str',
})

BriefUndatedItemWith = TypedDict("BriefUndatedItemWith", {
    "name": 'str',
    "email": 'str',
})

BriefUndatedItem = TypedDict("BriefUndatedItem", {
    "thread_id": 'str',
    "promise": 'str',
    "by": 'Literal["me", "them"]',
    "with": 'BriefUndatedItemWith',
    "said_at": 'str',
    "overdue": 'bool',
    "message_id": 'str',
    "quote": 'str',
    "start": 'int',
    "end": 'int',
    "due": 'None',
})

_BriefCalendarItemAlways = TypedDict("_BriefCalendarItemAlways", {
    "title": 'str',
    "start": 'str',
})
_BriefCalendarItemSometimes = TypedDict("_BriefCalendarItemSometimes", {
    "event_id": 'str',
    "thread_id": 'Optional[str]',
}, total=False)


class BriefCalendarItem(_BriefCalendarItemAlways, _BriefCalendarItemSometimes):
    pass


Brief = TypedDict("Brief", {
    "date": 'str',
    "needs_reply": 'List[BriefNeedsReplyItem]',
    "commitments": 'List[BriefCommitmentsItem]',
    "undated": 'List[BriefUndatedItem]',
    "calendar": 'List[BriefCalendarItem]',
    "engine": 'Literal["extractive"]',
    "generated_at": 'str',
})

BriefGenerated = TypedDict("BriefGenerated", {
    "date": 'str',
    "status": 'Literal["ready"]',
    "credits_spent": 'int',
})

BriefSettings = TypedDict("BriefSettings", {
    "daily": 'bool',
    "time": 'str',
    "timezone": 'str',
    "mail": 'bool',
})

BriefSettingsPatch = TypedDict("BriefSettingsPatch", {
    "daily": 'bool',
    "time": 'str',
    "mail": 'bool',
}, total=False)

CalendarEventAnswersItem = TypedDict("CalendarEventAnswersItem", {
    "name": 'str',
    "email": 'str',
    "status": 'Literal["needs_action", "accepted", "tentative", "declined", "delegated"]',
})

CalendarEvent = TypedDict("CalendarEvent", {
    "id": 'str',
    "title": 'str',
    "start": 'str',
    "end": 'str',
    "all_day": 'bool',
    "attendees": 'List[str]',
    "status": 'Literal["confirmed", "tentative", "needs_action", "declined", "cancelled"]',
    "location": 'str',
    "description": 'str',
    "organizer": 'Optional[str]',
    "answers": 'List[CalendarEventAnswersItem]',
    "recurrence_id": 'Optional[str]',
    "calendar_id": 'Optional[str]',
})

_CalendarEventCreateAlways = TypedDict("_CalendarEventCreateAlways", {
    "title": 'str',
    "start": 'str',
    "end": 'str',
})
_CalendarEventCreateSometimes = TypedDict("_CalendarEventCreateSometimes", {
    "attendees": 'List[str]',
    "all_day": 'bool',
    "location": 'str',
    "description": 'str',
}, total=False)


class CalendarEventCreate(_CalendarEventCreateAlways, _CalendarEventCreateSometimes):
    pass


CalendarEventCreated = TypedDict("CalendarEventCreated", {
    "id": 'str',
    "status": 'Literal["confirmed", "tentative", "needs_action", "declined", "cancelled"]',
})

CalendarEventDeleted = TypedDict("CalendarEventDeleted", {
    "id": 'str',
    "deleted": 'Literal[True]',
})

CalendarEventList = TypedDict("CalendarEventList", {
    "data": 'List[CalendarEvent]',
})

CompletenessTotal = TypedDict("CompletenessTotal", {
    "server": 'int',
    "here": 'int',
    "missing": 'int',
    "extra": 'int',
})

CompletenessFoldersItem = TypedDict("CompletenessFoldersItem", {
    "path": 'str',
    "role": 'Literal["inbox", "all", "sent", "drafts", "archive", "snoozed", "spam", "trash", "other"]',
    "server": 'int',
    "here": 'int',
    "missing": 'int',
    "extra": 'int',
    "refused": 'bool',
    "verified_at": 'str',
})

Completeness = TypedDict("Completeness", {
    "account_id": 'str',
    "complete": 'Optional[bool]',
    "sentence": 'str',
    "verified_at": 'Optional[str]',
    "error": 'Optional[str]',
    "total": 'CompletenessTotal',
    "folders": 'List[CompletenessFoldersItem]',
})

Contact = TypedDict("Contact", {
    "id": 'str',
    "name": 'str',
    "email": 'str',
    "emails": 'List[str]',
    "kind": 'Literal["person", "role", "automated"]',
    "vip": 'bool',
    "last_contact": 'Optional[str]',
    "threads": 'int',
    "notes": 'str',
})

ContactImport = TypedDict("ContactImport", {
    "imported": 'int',
    "skipped": 'int',
})

_ContactListAlways = TypedDict("_ContactListAlways", {
    "data": 'List[Contact]',
    "has_more": 'bool',
})
_ContactListSometimes = TypedDict("_ContactListSometimes", {
    "next_cursor": 'str',
}, total=False)


class ContactList(_ContactListAlways, _ContactListSometimes):
    pass


ContactPatch = TypedDict("ContactPatch", {
    "vip": 'bool',
    "notes": 'str',
}, total=False)

ContactPatched = TypedDict("ContactPatched", {
    "id": 'str',
    "vip": 'bool',
})

ContextFile = TypedDict("ContextFile", {
    "id": 'str',
    "name": 'str',
    "mime": 'str',
    "bytes": 'int',
    "profile_id": 'Optional[str]',
    "has_text": 'bool',
    "created_at": 'str',
})

ContextFileDeleted = TypedDict("ContextFileDeleted", {
    "id": 'str',
    "deleted": 'Literal[True]',
})

_ContextFileListAlways = TypedDict("_ContextFileListAlways", {
    "data": 'List[ContextFile]',
    "has_more": 'bool',
})
_ContextFileListSometimes = TypedDict("_ContextFileListSometimes", {
    "next_cursor": 'str',
}, total=False)


class ContextFileList(_ContextFileListAlways, _ContextFileListSometimes):
    pass


ContextProfileNotesItem = TypedDict("ContextProfileNotesItem", {
    "at": 'str',
    "text": 'str',
})

ContextProfile = TypedDict("ContextProfile", {
    "id": 'str',
    "domain": 'str',
    "name": 'str',
    "updated_at": 'str',
    "summary": 'str',
    "variables": 'Dict[str, str]',
    "notes": 'List[ContextProfileNotesItem]',
})

_ContextProfileCreateAlways = TypedDict("_ContextProfileCreateAlways", {
    "domain": 'str',
})
_ContextProfileCreateSometimes = TypedDict("_ContextProfileCreateSometimes", {
    "name": 'str',
    "summary": 'str',
    "set": 'Dict[str, Optional[str]]',
    "append_note": 'str',
}, total=False)


class ContextProfileCreate(_ContextProfileCreateAlways, _ContextProfileCreateSometimes):
    pass


ContextProfileDeleted = TypedDict("ContextProfileDeleted", {
    "id": 'str',
    "deleted": 'Literal[True]',
})

ContextProfileItem = TypedDict("ContextProfileItem", {
    "id": 'str',
    "domain": 'str',
    "name": 'str',
    "updated_at": 'str',
})

_ContextProfileListAlways = TypedDict("_ContextProfileListAlways", {
    "data": 'List[ContextProfileItem]',
    "has_more": 'bool',
})
_ContextProfileListSometimes = TypedDict("_ContextProfileListSometimes", {
    "next_cursor": 'str',
}, total=False)


class ContextProfileList(_ContextProfileListAlways, _ContextProfileListSometimes):
    pass


ContextProfilePatch = TypedDict("ContextProfilePatch", {
    "domain": 'str',
    "name": 'str',
    "summary": 'str',
    "set": 'Dict[str, Optional[str]]',
    "append_note": 'str',
}, total=False)

ContextProfilePatched = TypedDict("ContextProfilePatched", {
    "id": 'str',
    "updated_keys": 'List[str]',
})

ContextVariable = TypedDict("ContextVariable", {
    "key": 'str',
    "value": 'str',
    "type": 'Literal["string", "number", "boolean", "date"]',
    "updated_at": 'str',
})

ContextVariableDeleted = TypedDict("ContextVariableDeleted", {
    "key": 'str',
    "deleted": 'Literal[True]',
})

ContextVariableList = TypedDict("ContextVariableList", {
    "data": 'List[ContextVariable]',
})

_ContextVariablePutAlways = TypedDict("_ContextVariablePutAlways", {
    "value": 'str',
})
_ContextVariablePutSometimes = TypedDict("_ContextVariablePutSometimes", {
    "type": 'Literal["string", "number", "boolean", "date"]',
}, total=False)


class ContextVariablePut(_ContextVariablePutAlways, _ContextVariablePutSometimes):
    pass


_DraftAlways = TypedDict("_DraftAlways", {
    "id": 'str',
    "account_id": 'str',
    "thread_id": 'Optional[str]',
    "from": 'str',
    "to": 'List[str]',
    "cc": 'List[str]',
    "bcc": 'List[str]',
    "subject": 'str',
    "body": 'str',
    "attachments": 'List[DraftAttachment]',
    "status": 'Literal["draft"]',
    "send_id": 'Optional[str]',
    "created_at": 'str',
    "updated_at": 'str',
    "credits_spent": 'int',
})
_DraftSometimes = TypedDict("_DraftSometimes", {
    "ai": 'DraftAiNote',
}, total=False)


class Draft(_DraftAlways, _DraftSometimes):
    pass


_DraftAiNoteProvenanceItemSourceAlways = TypedDict("_DraftAiNoteProvenanceItemSourceAlways", {
    "from": 'Literal["voice", "instructions", "message", "sent", "phrase", "model"]',
})
_DraftAiNoteProvenanceItemSourceSometimes = TypedDict("_DraftAiNoteProvenanceItemSourceSometimes", {
    "quote": 'str',
    "message_id": 'str',
    "start": 'int',
    "end": 'int',
}, total=False)


# What the sentence is based on.
class DraftAiNoteProvenanceItemSource(_DraftAiNoteProvenanceItemSourceAlways, _DraftAiNoteProvenanceItemSourceSometimes):
    pass


DraftAiNoteProvenanceItem = TypedDict("DraftAiNoteProvenanceItem", {
    "text": 'str',
    "source": 'DraftAiNoteProvenanceItemSource',
})

DraftAiNote = TypedDict("DraftAiNote", {
    "engine": 'Literal["extractive", "local", "hosted"]',
    "model": 'Optional[str]',
    "fallback": 'Optional[str]',
    "held_for_review": 'bool',
    "review_reasons": 'List[str]',
    "gaps": 'List[str]',
    "provenance": 'List[DraftAiNoteProvenanceItem]',
})

DraftAttachment = TypedDict("DraftAttachment", {
    "id": 'str',
    "name": 'str',
    "size": 'int',
    "mime": 'str',
    "content_id": 'Optional[str]',
})

DraftAttachmentDeleted = TypedDict("DraftAttachmentDeleted", {
    "id": 'str',
    "deleted": 'Literal[True]',
})

DraftDeleted = TypedDict("DraftDeleted", {
    "id": 'str',
    "deleted": 'Literal[True]',
})

DraftEdit = TypedDict("DraftEdit", {
    "account_id": 'str',
    "from": 'str',
    "to": 'List[str]',
    "cc": 'List[str]',
    "bcc": 'List[str]',
    "subject": 'str',
    "body": 'str',
}, total=False)

DraftItem = TypedDict("DraftItem", {
    "id": 'str',
    "to": 'List[str]',
    "subject": 'str',
    "status": 'Literal["draft"]',
    "send_id": 'Optional[str]',
    "updated_at": 'str',
    "account_id": 'str',
    "thread_id": 'Optional[str]',
})

_DraftListAlways = TypedDict("_DraftListAlways", {
    "data": 'List[DraftItem]',
    "has_more": 'bool',
})
_DraftListSometimes = TypedDict("_DraftListSometimes", {
    "next_cursor": 'str',
}, total=False)


class DraftList(_DraftListAlways, _DraftListSometimes):
    pass


_DraftSendAlways = TypedDict("_DraftSendAlways", {
    "confirm": 'bool',
})
_DraftSendSometimes = TypedDict("_DraftSendSometimes", {
    "undo_window_s": 'float',
    "scheduled_at": 'str',
}, total=False)


class DraftSend(_DraftSendAlways, _DraftSendSometimes):
    pass


DraftUpdated = TypedDict("DraftUpdated", {
    "id": 'str',
    "status": 'Literal["draft"]',
    "send_id": 'Optional[str]',
    "updated_at": 'str',
})

EngineStatusFoundItem = TypedDict("EngineStatusFoundItem", {
    "kind": 'Literal["ollama", "llama.cpp", "lm_studio", "other"]',
    "base_url": 'str',
    "models": 'List[str]',
})

EngineStatus = TypedDict("EngineStatus", {
    "engine": 'Literal["extractive", "local", "hosted"]',
    "model": 'Optional[str]',
    "host": 'Optional[str]',
    "problem": 'Optional[str]',
    "found": 'List[EngineStatusFoundItem]',
})

Event = TypedDict("Event", {
    "id": 'str',
    "event": 'Literal["message.received", "thread.updated", "send.completed", "send.failed", "send.bounced", "draft.created", "agent.action", "brief.ready", "approval.requested"]',
    "created_at": 'str',
    "data": 'Dict[str, Any]',
})

_EventListAlways = TypedDict("_EventListAlways", {
    "data": 'List[Event]',
    "has_more": 'bool',
    "cursor": 'str',
})
_EventListSometimes = TypedDict("_EventListSometimes", {
    "next_cursor": 'str',
}, total=False)


class EventList(_EventListAlways, _EventListSometimes):
    pass


ExtractionCommitmentsItem = TypedDict("ExtractionCommitmentsItem", {
    "message_id": 'str',
    "thread_id": 'str',
    "quote": 'str',
    "start": 'int',
    "end": 'int',
    "by": 'Literal["me", "them"]',
    "due": 'Optional[str]',
    "kept": 'bool',
    "said_at": 'str',
})

ExtractionDatesItem = TypedDict("ExtractionDatesItem", {
    "message_id": 'str',
    "thread_id": 'str',
    "quote": 'str',
    "start": 'int',
    "end": 'int',
    "date": 'str',
})

ExtractionAsksItemFrom = TypedDict("ExtractionAsksItemFrom", {
    "name": 'str',
    "email": 'str',
})

ExtractionAsksItem = TypedDict("ExtractionAsksItem", {
    "message_id": 'str',
    "thread_id": 'str',
    "quote": 'str',
    "start": 'int',
    "end": 'int',
    "kind": 'Literal["question", "request"]',
    "from": 'ExtractionAsksItemFrom',
    "due": 'Optional[str]',
})

ExtractionDecisionsItem = TypedDict("ExtractionDecisionsItem", {
    "message_id": 'str',
    "thread_id": 'str',
    "quote": 'str',
    "start": 'int',
    "end": 'int',
})

ExtractionAmountsItem = TypedDict("ExtractionAmountsItem", {
    "message_id": 'str',
    "thread_id": 'str',
    "quote": 'str',
    "start": 'int',
    "end": 'int',
    "currency": 'str',
    "value": 'float',
})

Extraction = TypedDict("Extraction", {
    "thread_id": 'str',
    "commitments": 'List[ExtractionCommitmentsItem]',
    "dates": 'List[ExtractionDatesItem]',
    "asks": 'List[ExtractionAsksItem]',
    "decisions": 'List[ExtractionDecisionsItem]',
    "amounts": 'List[ExtractionAmountsItem]',
    "credits_spent": 'int',
    "engine": 'Literal["extractive"]',
})

Folder = TypedDict("Folder", {
    "id": 'str',
    "account_id": 'str',
    "path": 'str',
    "role": 'Literal["inbox", "sent", "drafts", "trash", "spam", "archive", "snoozed", "all", "other"]',
    "message_count": 'int',
    "unread_count": 'int',
    "synced": 'bool',
})

FolderList = TypedDict("FolderList", {
    "data": 'List[Folder]',
})

Label = TypedDict("Label", {
    "id": 'str',
    "name": 'str',
    "thread_count": 'int',
    "unread_count": 'int',
    "account_ids": 'List[str]',
    "changing": 'bool',
})

LabelCreate = TypedDict("LabelCreate", {
    "name": 'str',
})

LabelDeleted = TypedDict("LabelDeleted", {
    "id": 'str',
    "deleted": 'Literal[True]',
})

LabelList = TypedDict("LabelList", {
    "data": 'List[Label]',
})

LabelPatch = TypedDict("LabelPatch", {
    "name": 'str',
})

MessageFrom = TypedDict("MessageFrom", {
    "name": 'str',
    "email": 'str',
})

MessageToItem = TypedDict("MessageToItem", {
    "name": 'str',
    "email": 'str',
})

MessageCcItem = TypedDict("MessageCcItem", {
    "name": 'str',
    "email": 'str',
})

# What the receiving mail server reported about the sender (RFC 8601). See docs/mail.md.
MessageAuthentication = TypedDict("MessageAuthentication", {
    "result": 'Literal["pass", "fail", "none", "unknown"]',
    "from_domain": 'Optional[str]',
    "dmarc": 'Optional[Literal["pass", "fail", "softfail", "neutral", "none", "policy", "temperror", "permerror"]]',
    "spf": 'Optional[Literal["pass", "fail", "softfail", "neutral", "none", "policy", "temperror", "permerror"]]',
    "dkim": 'Optional[Literal["pass", "fail", "softfail", "neutral", "none", "policy", "temperror", "permerror"]]',
})

MessageHeaders = TypedDict("MessageHeaders", {
    "message_id": 'str',
})

_MessageAttachmentsItemAlways = TypedDict("_MessageAttachmentsItemAlways", {
    "id": 'str',
    "name": 'str',
    "size": 'int',
    "mime": 'str',
    "inline": 'bool',
})
_MessageAttachmentsItemSometimes = TypedDict("_MessageAttachmentsItemSometimes", {
    "size_estimated": 'bool',
}, total=False)


class MessageAttachmentsItem(_MessageAttachmentsItemAlways, _MessageAttachmentsItemSometimes):
    pass


# Set if the sender offers one-click unsubscribe (RFC 8058).
MessageUnsubscribe = TypedDict("MessageUnsubscribe", {
    "host": 'str',
    "unsubscribed_at": 'Optional[str]',
})

_MessageAlways = TypedDict("_MessageAlways", {
    "id": 'str',
    "thread_id": 'str',
    "account_id": 'str',
    "from": 'MessageFrom',
    "to": 'List[MessageToItem]',
    "cc": 'List[MessageCcItem]',
    "authentication": 'MessageAuthentication',
    "subject": 'str',
    "date": 'str',
    "body_text": 'str',
    "new_text": 'str',
    "headers": 'MessageHeaders',
    "labels": 'List[str]',
    "unread": 'bool',
    "starred": 'bool',
    "draft": 'bool',
    "category": 'Literal["primary", "social", "promotions", "updates"]',
    "category_reason": 'str',
    "attachments": 'List[MessageAttachmentsItem]',
    "unsubscribe": 'Optional[MessageUnsubscribe]',
})
_MessageSometimes = TypedDict("_MessageSometimes", {
    "truncated": 'bool',
}, total=False)


class Message(_MessageAlways, _MessageSometimes):
    pass


MessageSend = TypedDict("MessageSend", {
    "account_id": 'str',
    "from": 'str',
    "to": 'List[str]',
    "cc": 'List[str]',
    "bcc": 'List[str]',
    "subject": 'str',
    "body": 'str',
    "reply_to_thread_id": 'str',
    "confirm": 'bool',
    "undo_window_s": 'float',
    "scheduled_at": 'str',
}, total=False)

ModelCall = TypedDict("ModelCall", {
    "at": 'str',
    "purpose": 'str',
    "host": 'str',
    "model": 'str',
    "bytes_out": 'int',
    "bytes_in": 'Optional[int]',
    "message_ids": 'List[str]',
    "result": 'Optional[str]',
})

_ModelCallListAlways = TypedDict("_ModelCallListAlways", {
    "data": 'List[ModelCall]',
    "has_more": 'bool',
})
_ModelCallListSometimes = TypedDict("_ModelCallListSometimes", {
    "next_cursor": 'str',
}, total=False)


class ModelCallList(_ModelCallListAlways, _ModelCallListSometimes):
    pass


NewDraft = TypedDict("NewDraft", {
    "account_id": 'str',
    "reply_to_thread_id": 'str',
    "from": 'str',
    "to": 'List[str]',
    "cc": 'List[str]',
    "bcc": 'List[str]',
    "subject": 'str',
    "body": 'str',
    "use_ai": 'bool',
    "instructions": 'str',
}, total=False)

NewWebhookEndpoint = TypedDict("NewWebhookEndpoint", {
    "url": 'str',
    "events": 'List[Literal["message.received", "thread.updated", "send.completed", "send.failed", "send.bounced", "draft.created", "agent.action", "brief.ready", "approval.requested"]]',
})

Question = TypedDict("Question", {
    "question": 'str',
})

Rule = TypedDict("Rule", {
    "id": 'str',
    "kind": 'Literal["inbox", "agent"]',
    "name": 'Optional[str]',
    "enabled": 'bool',
    "conditions": 'List[RuleCondition]',
    "actions": 'List[RuleAction]',
    "priority": 'int',
    "account_id": 'Optional[str]',
    "applying": 'bool',
})

RuleAction = TypedDict("RuleAction", {
    "type": 'Literal["addLabel", "removeLabel", "setCategory", "archive", "markRead", "star", "trash", "markSpam", "setMode", "allow"]',
    "value": 'str',
})

RuleApply = TypedDict("RuleApply", {
    "days": 'int',
}, total=False)

RuleCondition = TypedDict("RuleCondition", {
    "field": 'Literal["from", "from_domain", "to", "cc", "subject", "body", "list_id", "has_attachment", "account_id", "category"]',
    "op": 'Literal["equals", "not_equals", "contains", "not_contains", "starts_with", "ends_with", "exists"]',
    "value": 'str',
})

_RuleCreateConditionsItemAlways = TypedDict("_RuleCreateConditionsItemAlways", {
    "field": 'Literal["from", "from_domain", "to", "cc", "subject", "body", "list_id", "has_attachment", "account_id", "category"]',
    "op": 'Literal["equals", "not_equals", "contains", "not_contains", "starts_with", "ends_with", "exists"]',
})
_RuleCreateConditionsItemSometimes = TypedDict("_RuleCreateConditionsItemSometimes", {
    "value": 'str',
}, total=False)


class RuleCreateConditionsItem(_RuleCreateConditionsItemAlways, _RuleCreateConditionsItemSometimes):
    pass


_RuleCreateActionsItemAlways = TypedDict("_RuleCreateActionsItemAlways", {
    "type": 'Literal["addLabel", "removeLabel", "setCategory", "archive", "markRead", "star", "trash", "markSpam", "setMode", "allow"]',
})
_RuleCreateActionsItemSometimes = TypedDict("_RuleCreateActionsItemSometimes", {
    "value": 'str',
}, total=False)


class RuleCreateActionsItem(_RuleCreateActionsItemAlways, _RuleCreateActionsItemSometimes):
    pass


_RuleCreateAlways = TypedDict("_RuleCreateAlways", {
    "conditions": 'List[RuleCreateConditionsItem]',
    "actions": 'List[RuleCreateActionsItem]',
})
_RuleCreateSometimes = TypedDict("_RuleCreateSometimes", {
    "kind": 'Literal["inbox", "agent"]',
    "name": 'Optional[str]',
    "enabled": 'bool',
    "account_id": 'Optional[str]',
}, total=False)


class RuleCreate(_RuleCreateAlways, _RuleCreateSometimes):
    pass


RuleCreated = TypedDict("RuleCreated", {
    "id": 'str',
    "kind": 'Literal["inbox", "agent"]',
    "priority": 'int',
})

RuleDeleted = TypedDict("RuleDeleted", {
    "id": 'str',
    "deleted": 'Literal[True]',
})

RuleList = TypedDict("RuleList", {
    "data": 'List[Rule]',
})

RuleOrder = TypedDict("RuleOrder", {
    "ids": 'List[str]',
})

_RulePatchConditionsItemAlways = TypedDict("_RulePatchConditionsItemAlways", {
    "field": 'Literal["from", "from_domain", "to", "cc", "subject", "body", "list_id", "has_attachment", "account_id", "category"]',
    "op": 'Literal["equals", "not_equals", "contains", "not_contains", "starts_with", "ends_with", "exists"]',
})
_RulePatchConditionsItemSometimes = TypedDict("_RulePatchConditionsItemSometimes", {
    "value": 'str',
}, total=False)


class RulePatchConditionsItem(_RulePatchConditionsItemAlways, _RulePatchConditionsItemSometimes):
    pass


_RulePatchActionsItemAlways = TypedDict("_RulePatchActionsItemAlways", {
    "type": 'Literal["addLabel", "removeLabel", "setCategory", "archive", "markRead", "star", "trash", "markSpam", "setMode", "allow"]',
})
_RulePatchActionsItemSometimes = TypedDict("_RulePatchActionsItemSometimes", {
    "value": 'str',
}, total=False)


class RulePatchActionsItem(_RulePatchActionsItemAlways, _RulePatchActionsItemSometimes):
    pass


RulePatch = TypedDict("RulePatch", {
    "name": 'Optional[str]',
    "enabled": 'bool',
    "conditions": 'List[RulePatchConditionsItem]',
    "actions": 'List[RulePatchActionsItem]',
}, total=False)

RulePreviewExamplesItem = TypedDict("RulePreviewExamplesItem", {
    "message_id": 'str',
    "thread_id": 'str',
    "from": 'str',
    "subject": 'str',
    "date": 'str',
    "actions": 'List[RuleAction]',
})

RulePreview = TypedDict("RulePreview", {
    "scanned": 'int',
    "matched": 'int',
    "changed": 'int',
    "actions": 'Dict[str, int]',
    "examples": 'List[RulePreviewExamplesItem]',
})

_RulePreviewRequestConditionsItemAlways = TypedDict("_RulePreviewRequestConditionsItemAlways", {
    "field": 'Literal["from", "from_domain", "to", "cc", "subject", "body", "list_id", "has_attachment", "account_id", "category"]',
    "op": 'Literal["equals", "not_equals", "contains", "not_contains", "starts_with", "ends_with", "exists"]',
})
_RulePreviewRequestConditionsItemSometimes = TypedDict("_RulePreviewRequestConditionsItemSometimes", {
    "value": 'str',
}, total=False)


class RulePreviewRequestConditionsItem(_RulePreviewRequestConditionsItemAlways, _RulePreviewRequestConditionsItemSometimes):
    pass


_RulePreviewRequestActionsItemAlways = TypedDict("_RulePreviewRequestActionsItemAlways", {
    "type": 'Literal["addLabel", "removeLabel", "setCategory", "archive", "markRead", "star", "trash", "markSpam", "setMode", "allow"]',
})
_RulePreviewRequestActionsItemSometimes = TypedDict("_RulePreviewRequestActionsItemSometimes", {
    "value": 'str',
}, total=False)


class RulePreviewRequestActionsItem(_RulePreviewRequestActionsItemAlways, _RulePreviewRequestActionsItemSometimes):
    pass


_RulePreviewRequestAlways = TypedDict("_RulePreviewRequestAlways", {
    "conditions": 'List[RulePreviewRequestConditionsItem]',
    "actions": 'List[RulePreviewRequestActionsItem]',
})
_RulePreviewRequestSometimes = TypedDict("_RulePreviewRequestSometimes", {
    "kind": 'Literal["inbox", "agent"]',
    "days": 'int',
    "examples": 'int',
}, total=False)


class RulePreviewRequest(_RulePreviewRequestAlways, _RulePreviewRequestSometimes):
    pass


RuleProgress = TypedDict("RuleProgress", {
    "id": 'str',
    "state": 'Literal["running", "done", "stopped"]',
    "done": 'int',
    "total": 'int',
    "matched": 'int',
    "changed": 'int',
    "started_at": 'str',
    "finished_at": 'Optional[str]',
})

SearchReplyCorrectionsItem = TypedDict("SearchReplyCorrectionsItem", {
    "from": 'str',
    "to": 'str',
})

_SearchReplyAlways = TypedDict("_SearchReplyAlways", {
    "data": 'List[SearchResult]',
    "has_more": 'bool',
    "mode": 'Literal["keyword", "semantic", "hybrid"]',
    "partial": 'bool',
    "indexed": 'int',
    "waiting": 'int',
    "waiting_full_text": 'int',
    "credits_spent": 'int',
    "corrections": 'List[SearchReplyCorrectionsItem]',
})
_SearchReplySometimes = TypedDict("_SearchReplySometimes", {
    "next_cursor": 'str',
}, total=False)


class SearchReply(_SearchReplyAlways, _SearchReplySometimes):
    pass


_SearchRequestAlways = TypedDict("_SearchRequestAlways", {
    "query": 'str',
})
_SearchRequestSometimes = TypedDict("_SearchRequestSometimes", {
    "mode": 'Literal["keyword", "semantic", "hybrid"]',
    "limit": 'int',
    "cursor": 'str',
    "account_id": 'str',
}, total=False)


class SearchRequest(_SearchRequestAlways, _SearchRequestSometimes):
    pass


SearchResultFrom = TypedDict("SearchResultFrom", {
    "name": 'str',
    "email": 'str',
})

SearchResult = TypedDict("SearchResult", {
    "thread_id": 'str',
    "message_id": 'str',
    "account_id": 'str',
    "subject": 'str',
    "from": 'SearchResultFrom',
    "date": 'str',
    "snippet": 'str',
    "score": 'float',
    "matched_by": 'List[Literal["keyword", "semantic"]]',
    "other_matches": 'int',
})

SendRejectedItem = TypedDict("SendRejectedItem", {
    "recipient": 'str',
    "detail": 'str',
})

SendBouncedRecipientsItem = TypedDict("SendBouncedRecipientsItem", {
    "recipient": 'str',
    "status": 'Optional[str]',
    "detail": 'str',
})

SendBounced = TypedDict("SendBounced", {
    "at": 'str',
    "recipients": 'List[SendBouncedRecipientsItem]',
})

Send = TypedDict("Send", {
    "send_id": 'str',
    "status": 'Literal["scheduled", "sending", "sent", "failed", "undone"]',
    "undo_until": 'str',
    "account_id": 'str',
    "draft_id": 'Optional[str]',
    "thread_id": 'Optional[str]',
    "message_id": 'Optional[str]',
    "from": 'str',
    "to": 'List[str]',
    "cc": 'List[str]',
    "bcc": 'List[str]',
    "subject": 'str',
    "scheduled_at": 'Optional[str]',
    "created_at": 'str',
    "finished_at": 'Optional[str]',
    "attempts": 'int',
    "next_attempt_at": 'Optional[str]',
    "reason": 'Optional[Literal["provider_rejected", "auth_failed", "sender_rejected", "recipient_rejected", "message_too_large", "smtputf8_unsupported", "sending_limit", "tls_failed", "unreachable", "delivery_unknown", "compose_failed"]]',
    "detail": 'Optional[str]',
    "rejected": 'List[SendRejectedItem]',
    "bounced": 'Optional[SendBounced]',
})

SendCancelled = TypedDict("SendCancelled", {
    "send_id": 'str',
    "status": 'Literal["undone"]',
    "draft_id": 'Optional[str]',
})

_SendListAlways = TypedDict("_SendListAlways", {
    "data": 'List[Send]',
    "has_more": 'bool',
})
_SendListSometimes = TypedDict("_SendListSometimes", {
    "next_cursor": 'str',
}, total=False)


class SendList(_SendListAlways, _SendListSometimes):
    pass


SendScheduled = TypedDict("SendScheduled", {
    "send_id": 'str',
    "status": 'Literal["scheduled", "sending", "sent", "failed", "undone"]',
    "undo_until": 'str',
})

SuggestReply = TypedDict("SuggestReply", {
    "data": 'List[Suggestion]',
})

Suggestion = TypedDict("Suggestion", {
    "kind": 'Literal["contact", "label", "operator", "subject", "folder"]',
    "text": 'str',
    "insert": 'str',
    "detail": 'str',
})

SummaryPointsItemCitation = TypedDict("SummaryPointsItemCitation", {
    "message_id": 'str',
    "thread_id": 'str',
    "quote": 'str',
    "start": 'int',
    "end": 'int',
})

SummaryPointsItem = TypedDict("SummaryPointsItem", {
    "text": 'str',
    "citation": 'SummaryPointsItemCitation',
})

Summary = TypedDict("Summary", {
    "thread_id": 'str',
    "summary": 'str',
    "points": 'List[SummaryPointsItem]',
    "fallback": 'Optional[str]',
    "credits_spent": 'int',
    "engine": 'Literal["extractive", "local", "hosted"]',
})

ThreadMessagesItemFrom = TypedDict("ThreadMessagesItemFrom", {
    "name": 'str',
    "email": 'str',
})

ThreadMessagesItem = TypedDict("ThreadMessagesItem", {
    "id": 'str',
    "from": 'ThreadMessagesItemFrom',
    "date": 'str',
    "snippet": 'str',
})

Thread = TypedDict("Thread", {
    "id": 'str',
    "account_id": 'str',
    "subject": 'str',
    "participants": 'List[str]',
    "labels": 'List[str]',
    "state": 'Literal["inbox", "archived", "snoozed", "trash", "spam", "sent"]',
    "unread": 'bool',
    "starred": 'bool',
    "important": 'bool',
    "snooze_until": 'Optional[str]',
    "messages": 'List[ThreadMessagesItem]',
})

_ThreadBatchChangesItemAlways = TypedDict("_ThreadBatchChangesItemAlways", {
    "id": 'str',
})
_ThreadBatchChangesItemSometimes = TypedDict("_ThreadBatchChangesItemSometimes", {
    "read": 'bool',
    "starred": 'bool',
    "state": 'Literal["inbox", "archived", "trash", "spam"]',
    "add_labels": 'List[str]',
    "remove_labels": 'List[str]',
    "snooze_until": 'Optional[str]',
}, total=False)


class ThreadBatchChangesItem(_ThreadBatchChangesItemAlways, _ThreadBatchChangesItemSometimes):
    pass


ThreadBatch = TypedDict("ThreadBatch", {
    "changes": 'List[ThreadBatchChangesItem]',
})

ThreadBatchReplyDataItem1 = TypedDict("ThreadBatchReplyDataItem1", {
    "ok": 'Literal[True]',
    "id": 'str',
    "state": 'Literal["inbox", "archived", "snoozed", "trash", "spam", "sent"]',
    "labels": 'List[str]',
    "unread": 'bool',
})

_ThreadBatchReplyDataItem2ErrorAlways = TypedDict("_ThreadBatchReplyDataItem2ErrorAlways", {
    "code": 'Literal["invalid_params", "not_found", "label_busy"]',
    "message": 'str',
})
_ThreadBatchReplyDataItem2ErrorSometimes = TypedDict("_ThreadBatchReplyDataItem2ErrorSometimes", {
    "param": 'str',
}, total=False)


class ThreadBatchReplyDataItem2Error(_ThreadBatchReplyDataItem2ErrorAlways, _ThreadBatchReplyDataItem2ErrorSometimes):
    pass


ThreadBatchReplyDataItem2 = TypedDict("ThreadBatchReplyDataItem2", {
    "ok": 'Literal[False]',
    "id": 'str',
    "error": 'ThreadBatchReplyDataItem2Error',
})

ThreadBatchReply = TypedDict("ThreadBatchReply", {
    "data": 'List[Union[ThreadBatchReplyDataItem1, ThreadBatchReplyDataItem2]]',
})

ThreadChoice = TypedDict("ThreadChoice", {
    "thread_id": 'str',
})

ThreadItemFrom = TypedDict("ThreadItemFrom", {
    "name": 'str',
    "email": 'str',
})

ThreadItem = TypedDict("ThreadItem", {
    "id": 'str',
    "account_id": 'str',
    "subject": 'str',
    "from": 'ThreadItemFrom',
    "snippet": 'str',
    "labels": 'List[str]',
    "unread": 'bool',
    "message_count": 'int',
    "updated_at": 'str',
    "state": 'Literal["inbox", "archived", "snoozed", "trash", "spam", "sent"]',
    "starred": 'bool',
    "important": 'bool',
    "has_attachment": 'bool',
    "category": 'Literal["primary", "social", "promotions", "updates"]',
})

_ThreadListAlways = TypedDict("_ThreadListAlways", {
    "data": 'List[ThreadItem]',
    "has_more": 'bool',
})
_ThreadListSometimes = TypedDict("_ThreadListSometimes", {
    "next_cursor": 'str',
}, total=False)


class ThreadList(_ThreadListAlways, _ThreadListSometimes):
    pass


ThreadMessageFrom = TypedDict("ThreadMessageFrom", {
    "name": 'str',
    "email": 'str',
})

ThreadMessageToItem = TypedDict("ThreadMessageToItem", {
    "name": 'str',
    "email": 'str',
})

ThreadMessageCcItem = TypedDict("ThreadMessageCcItem", {
    "name": 'str',
    "email": 'str',
})

# What the receiving mail server reported about the sender (RFC 8601). See docs/mail.md.
ThreadMessageAuthentication = TypedDict("ThreadMessageAuthentication", {
    "result": 'Literal["pass", "fail", "none", "unknown"]',
    "from_domain": 'Optional[str]',
    "dmarc": 'Optional[Literal["pass", "fail", "softfail", "neutral", "none", "policy", "temperror", "permerror"]]',
    "spf": 'Optional[Literal["pass", "fail", "softfail", "neutral", "none", "policy", "temperror", "permerror"]]',
    "dkim": 'Optional[Literal["pass", "fail", "softfail", "neutral", "none", "policy", "temperror", "permerror"]]',
})

_ThreadMessageAttachmentsItemAlways = TypedDict("_ThreadMessageAttachmentsItemAlways", {
    "id": 'str',
    "name": 'str',
    "size": 'int',
    "mime": 'str',
    "inline": 'bool',
})
_ThreadMessageAttachmentsItemSometimes = TypedDict("_ThreadMessageAttachmentsItemSometimes", {
    "size_estimated": 'bool',
}, total=False)


class ThreadMessageAttachmentsItem(_ThreadMessageAttachmentsItemAlways, _ThreadMessageAttachmentsItemSometimes):
    pass


_ThreadMessageAlways = TypedDict("_ThreadMessageAlways", {
    "id": 'str',
    "from": 'ThreadMessageFrom',
    "to": 'List[ThreadMessageToItem]',
    "cc": 'List[ThreadMessageCcItem]',
    "authentication": 'ThreadMessageAuthentication',
    "date": 'str',
    "body_text": 'str',
    "new_text": 'str',
    "attachments": 'List[ThreadMessageAttachmentsItem]',
    "unread": 'bool',
    "draft": 'bool',
})
_ThreadMessageSometimes = TypedDict("_ThreadMessageSometimes", {
    "truncated": 'bool',
}, total=False)


class ThreadMessage(_ThreadMessageAlways, _ThreadMessageSometimes):
    pass


_ThreadMessageListAlways = TypedDict("_ThreadMessageListAlways", {
    "data": 'List[ThreadMessage]',
    "has_more": 'bool',
})
_ThreadMessageListSometimes = TypedDict("_ThreadMessageListSometimes", {
    "next_cursor": 'str',
}, total=False)


class ThreadMessageList(_ThreadMessageListAlways, _ThreadMessageListSometimes):
    pass


ThreadPatch = TypedDict("ThreadPatch", {
    "read": 'bool',
    "starred": 'bool',
    "state": 'Literal["inbox", "archived", "trash", "spam"]',
    "add_labels": 'List[str]',
    "remove_labels": 'List[str]',
    "snooze_until": 'Optional[str]',
}, total=False)

ThreadPatched = TypedDict("ThreadPatched", {
    "id": 'str',
    "state": 'Literal["inbox", "archived", "snoozed", "trash", "spam", "sent"]',
    "labels": 'List[str]',
    "unread": 'bool',
})

UnsubscribeBody = TypedDict("UnsubscribeBody", {
    "confirm": 'Literal[True]',
})

Unsubscribed = TypedDict("Unsubscribed", {
    "message_id": 'str',
    "host": 'str',
    "unsubscribed_at": 'str',
})

# Requests since the last UTC midnight, including this one.
UsageRequests = TypedDict("UsageRequests", {
    "used": 'int',
    "limit": 'int',
    "resets": 'str',
})

# Sends since the last UTC midnight. For a key in its first 24 hours: the key's own sends and their cap.
UsageSends = TypedDict("UsageSends", {
    "used": 'int',
    "limit": 'int',
})

# AI credits since the first day of the month, UTC.
UsageAiCredits = TypedDict("UsageAiCredits", {
    "used": 'int',
    "limit": 'int',
    "byok": 'bool',
})

Usage = TypedDict("Usage", {
    "plan": 'Literal["free", "pro", "autopilot", "team"]',
    "requests": 'UsageRequests',
    "sends": 'UsageSends',
    "ai_credits": 'UsageAiCredits',
})

WebhookAttempt = TypedDict("WebhookAttempt", {
    "attempt": 'int',
    "at": 'str',
    "duration_ms": 'int',
    "response_status": 'Optional[int]',
    "error": 'Optional[str]',
})

WebhookCreatedData = TypedDict("WebhookCreatedData", {
    "id": 'str',
    "url": 'str',
    "events": 'List[Literal["message.received", "thread.updated", "send.completed", "send.failed", "send.bounced", "draft.created", "agent.action", "brief.ready", "approval.requested"]]',
    "status": 'Literal["active", "disabled"]',
    "failure_count": 'int',
    "last_failure_at": 'Optional[str]',
    "disabled_at": 'Optional[str]',
    "created_at": 'str',
    "updated_at": 'str',
    "secret": 'str',
})

WebhookCreated = TypedDict("WebhookCreated", {
    "data": 'WebhookCreatedData',
})

WebhookDelivery = TypedDict("WebhookDelivery", {
    "id": 'str',
    "event_id": 'str',
    "event": 'str',
    "status": 'Literal["pending", "delivered", "failed"]',
    "attempt_count": 'int',
    "last_attempt": 'WebhookAttempt',
    "next_attempt_at": 'Optional[str]',
    "created_at": 'str',
    "finished_at": 'Optional[str]',
})

WebhookDeliveryDetailDataAttemptsItem = TypedDict("WebhookDeliveryDetailDataAttemptsItem", {
    "attempt": 'int',
    "at": 'str',
    "duration_ms": 'int',
    "response_status": 'Optional[int]',
    "error": 'Optional[str]',
    "response_headers": 'Dict[str, str]',
    "response_body": 'str',
})

WebhookDeliveryDetailData = TypedDict("WebhookDeliveryDetailData", {
    "id": 'str',
    "event_id": 'str',
    "event": 'str',
    "status": 'Literal["pending", "delivered", "failed"]',
    "attempt_count": 'int',
    "last_attempt": 'WebhookAttempt',
    "next_attempt_at": 'Optional[str]',
    "created_at": 'str',
    "finished_at": 'Optional[str]',
    "attempts": 'List[WebhookDeliveryDetailDataAttemptsItem]',
})

WebhookDeliveryDetail = TypedDict("WebhookDeliveryDetail", {
    "data": 'WebhookDeliveryDetailData',
})

_WebhookDeliveryListAlways = TypedDict("_WebhookDeliveryListAlways", {
    "data": 'List[WebhookDelivery]',
    "has_more": 'bool',
})
_WebhookDeliveryListSometimes = TypedDict("_WebhookDeliveryListSometimes", {
    "next_cursor": 'str',
}, total=False)


class WebhookDeliveryList(_WebhookDeliveryListAlways, _WebhookDeliveryListSometimes):
    pass


WebhookDeliveryReply = TypedDict("WebhookDeliveryReply", {
    "data": 'WebhookDelivery',
})

WebhookEndpoint = TypedDict("WebhookEndpoint", {
    "id": 'str',
    "url": 'str',
    "events": 'List[Literal["message.received", "thread.updated", "send.completed", "send.failed", "send.bounced", "draft.created", "agent.action", "brief.ready", "approval.requested"]]',
    "status": 'Literal["active", "disabled"]',
    "failure_count": 'int',
    "last_failure_at": 'Optional[str]',
    "disabled_at": 'Optional[str]',
    "created_at": 'str',
    "updated_at": 'str',
})

WebhookList = TypedDict("WebhookList", {
    "data": 'List[WebhookEndpoint]',
    "has_more": 'bool',
    "next_cursor": 'Optional[str]',
})

WebhookPatch = TypedDict("WebhookPatch", {
    "url": 'str',
    "events": 'List[Literal["message.received", "thread.updated", "send.completed", "send.failed", "send.bounced", "draft.created", "agent.action", "brief.ready", "approval.requested"]]',
    "status": 'Literal["active", "disabled"]',
}, total=False)

WebhookReply = TypedDict("WebhookReply", {
    "data": 'WebhookEndpoint',
})

WebhookRotatedData = TypedDict("WebhookRotatedData", {
    "id": 'str',
    "status": 'Literal["active", "disabled"]',
    "secret": 'str',
})

WebhookRotated = TypedDict("WebhookRotated", {
    "data": 'WebhookRotatedData',
})

WebhookUpdatedData = TypedDict("WebhookUpdatedData", {
    "id": 'str',
    "events": 'List[Literal["message.received", "thread.updated", "send.completed", "send.failed", "send.bounced", "draft.created", "agent.action", "brief.ready", "approval.requested"]]',
    "status": 'Literal["active", "disabled"]',
    "failure_count": 'int',
})

WebhookUpdated = TypedDict("WebhookUpdated", {
    "data": 'WebhookUpdatedData',
})

_ErrorErrorAlways = TypedDict("_ErrorErrorAlways", {
    "type": 'Literal["invalid_request_error", "authentication_error", "permission_error", "not_found_error", "conflict_error", "rate_limit_error", "billing_error", "api_error"]',
    "code": 'Literal["unauthorized", "forbidden_scope", "invalid_params", "not_found", "rate_limited", "quota_exceeded", "insufficient_credits", "plan_required", "internal_error", "undo_window_elapsed", "method_not_allowed", "draft_locked", "label_exists", "label_busy", "idempotency_conflict", "idempotency_in_progress", "payload_too_large", "range_not_satisfiable", "provider_unavailable", "storage_full", "server_paused", "unsubscribe_unavailable", "unsubscribe_failed"]',
    "message": 'str',
    "request_id": 'str',
})
_ErrorErrorSometimes = TypedDict("_ErrorErrorSometimes", {
    "param": 'str',
}, total=False)


class ErrorError(_ErrorErrorAlways, _ErrorErrorSometimes):
    pass


# The envelope of every error. Match on `code`, never on `message`.
Error = TypedDict("Error", {
    "error": 'ErrorError',
})



class Operations:
    """One method for each operation of the API. `Postroom` sends the requests."""

    def _json(self, method: str, path: str, query: Dict[str, Any], body: Any, idempotency_key: Optional[str]) -> Any:
        raise NotImplementedError

    def _bytes(self, method: str, path: str, query: Dict[str, Any]) -> bytes:
        raise NotImplementedError

    def _upload(self, method: str, path: str, name: str, content: bytes, idempotency_key: Optional[str]) -> Any:
        raise NotImplementedError

    def list_accounts(self) -> AccountList:
        """List the connected mailboxes. `GET /accounts`"""
        return self._json("GET", "/accounts", {}, None, None)

    def get_completeness(self, id: str) -> Completeness:
        """Get the completeness of a mailbox. `GET /accounts/{id}/completeness`"""
        return self._json("GET", f"/accounts/{_quote(id)}/completeness", {}, None, None)

    def list_threads(self, *, state: Optional[Literal["inbox", "archived", "snoozed", "trash", "spam", "sent"]] = None, tab: Optional[Literal["primary", "social", "promotions", "updates"]] = None, label: Optional[str] = None, account_id: Optional[str] = None, unread: Optional[bool] = None, starred: Optional[bool] = None, has_attachment: Optional[bool] = None, before: Optional[str] = None, after: Optional[str] = None, q: Optional[str] = None, limit: Optional[int] = None, cursor: Optional[str] = None) -> ThreadList:
        """List threads. `GET /threads`"""
        return self._json("GET", "/threads", {"state": state, "tab": tab, "label": label, "account_id": account_id, "unread": unread, "starred": starred, "has_attachment": has_attachment, "before": before, "after": after, "q": q, "limit": limit, "cursor": cursor}, None, None)

    def get_thread(self, id: str) -> Thread:
        """Get a thread. `GET /threads/{id}`"""
        return self._json("GET", f"/threads/{_quote(id)}", {}, None, None)

    def update_thread(self, id: str, body: ThreadPatch, *, idempotency_key: Optional[str] = None) -> ThreadPatched:
        """Update a thread. `PATCH /threads/{id}`"""
        return self._json("PATCH", f"/threads/{_quote(id)}", {}, body, idempotency_key)

    def list_thread_messages(self, id: str, *, include_quoted: Optional[bool] = None, limit: Optional[int] = None, cursor: Optional[str] = None) -> ThreadMessageList:
        """List the messages of a thread. `GET /threads/{id}/messages`"""
        return self._json("GET", f"/threads/{_quote(id)}/messages", {"include_quoted": include_quoted, "limit": limit, "cursor": cursor}, None, None)

    def update_threads(self, body: ThreadBatch, *, idempotency_key: Optional[str] = None) -> ThreadBatchReply:
        """Update several threads. `POST /threads/batch`"""
        return self._json("POST", "/threads/batch", {}, body, idempotency_key)

    def list_labels(self) -> LabelList:
        """List labels. `GET /labels`"""
        return self._json("GET", "/labels", {}, None, None)

    def create_label(self, body: LabelCreate, *, idempotency_key: Optional[str] = None) -> Label:
        """Create a label. `POST /labels`"""
        return self._json("POST", "/labels", {}, body, idempotency_key)

    def rename_label(self, id: str, body: LabelPatch, *, idempotency_key: Optional[str] = None) -> Label:
        """Rename a label. `PATCH /labels/{id}`"""
        return self._json("PATCH", f"/labels/{_quote(id)}", {}, body, idempotency_key)

    def delete_label(self, id: str, *, idempotency_key: Optional[str] = None) -> LabelDeleted:
        """Delete a label. `DELETE /labels/{id}`"""
        return self._json("DELETE", f"/labels/{_quote(id)}", {}, None, idempotency_key)

    def list_folders(self, *, account_id: Optional[str] = None) -> FolderList:
        """List folders. `GET /folders`"""
        return self._json("GET", "/folders", {"account_id": account_id}, None, None)

    def get_message(self, id: str) -> Message:
        """Get a message. `GET /messages/{id}`"""
        return self._json("GET", f"/messages/{_quote(id)}", {}, None, None)

    def get_message_body(self, id: str, *, images: Optional[Literal["none", "remote"]] = None) -> bytes:
        """Get a message as sanitized HTML. `GET /messages/{id}/body`"""
        return self._bytes("GET", f"/messages/{_quote(id)}/body", {"images": images})

    def unsubscribe(self, id: str, body: UnsubscribeBody, *, idempotency_key: Optional[str] = None) -> Unsubscribed:
        """Unsubscribe from a mailing. `POST /messages/{id}/unsubscribe`"""
        return self._json("POST", f"/messages/{_quote(id)}/unsubscribe", {}, body, idempotency_key)

    def get_attachment(self, id: str, att_id: str) -> bytes:
        """Download an attachment. `GET /messages/{id}/attachments/{att_id}`"""
        return self._bytes("GET", f"/messages/{_quote(id)}/attachments/{_quote(att_id)}", {})

    def get_message_source(self, id: str) -> bytes:
        """Download the source of a message. `GET /messages/{id}/raw`"""
        return self._bytes("GET", f"/messages/{_quote(id)}/raw", {})

    def list_drafts(self, *, limit: Optional[int] = None, cursor: Optional[str] = None) -> DraftList:
        """List drafts. `GET /drafts`"""
        return self._json("GET", "/drafts", {"limit": limit, "cursor": cursor}, None, None)

    def create_draft(self, body: NewDraft, *, idempotency_key: Optional[str] = None) -> Draft:
        """Create a draft. `POST /drafts`"""
        return self._json("POST", "/drafts", {}, body, idempotency_key)

    def get_draft(self, id: str) -> Draft:
        """Get a draft. `GET /drafts/{id}`"""
        return self._json("GET", f"/drafts/{_quote(id)}", {}, None, None)

    def update_draft(self, id: str, body: DraftEdit, *, idempotency_key: Optional[str] = None) -> DraftUpdated:
        """Update a draft. `PATCH /drafts/{id}`"""
        return self._json("PATCH", f"/drafts/{_quote(id)}", {}, body, idempotency_key)

    def delete_draft(self, id: str, *, idempotency_key: Optional[str] = None) -> DraftDeleted:
        """Delete a draft. `DELETE /drafts/{id}`"""
        return self._json("DELETE", f"/drafts/{_quote(id)}", {}, None, idempotency_key)

    def add_draft_attachment(self, id: str, filename: str, content: bytes, *, idempotency_key: Optional[str] = None) -> DraftAttachment:
        """Attach a file to a draft. `POST /drafts/{id}/attachments`"""
        return self._upload("POST", f"/drafts/{_quote(id)}/attachments", filename, content, idempotency_key)

    def remove_draft_attachment(self, id: str, att_id: str, *, idempotency_key: Optional[str] = None) -> DraftAttachmentDeleted:
        """Remove an attachment. `DELETE /drafts/{id}/attachments/{att_id}`"""
        return self._json("DELETE", f"/drafts/{_quote(id)}/attachments/{_quote(att_id)}", {}, None, idempotency_key)

    def send_draft(self, id: str, body: DraftSend, *, idempotency_key: Optional[str] = None) -> SendScheduled:
        """Send a draft. `POST /drafts/{id}/send`"""
        return self._json("POST", f"/drafts/{_quote(id)}/send", {}, body, idempotency_key)

    def send_message(self, body: MessageSend, *, idempotency_key: Optional[str] = None) -> SendScheduled:
        """Compose and send a message in one call. `POST /messages/send`"""
        return self._json("POST", "/messages/send", {}, body, idempotency_key)

    def cancel_send(self, id: str, *, idempotency_key: Optional[str] = None) -> SendCancelled:
        """Cancel a send. `POST /sends/{id}/cancel`"""
        return self._json("POST", f"/sends/{_quote(id)}/cancel", {}, None, idempotency_key)

    def list_sends(self, *, limit: Optional[int] = None, cursor: Optional[str] = None, status: Optional[Literal["scheduled", "sending", "sent", "failed", "undone"]] = None) -> SendList:
        """List sends. `GET /sends`"""
        return self._json("GET", "/sends", {"limit": limit, "cursor": cursor, "status": status}, None, None)

    def get_send(self, id: str) -> Send:
        """Get a send. `GET /sends/{id}`"""
        return self._json("GET", f"/sends/{_quote(id)}", {}, None, None)

    def list_contacts(self, *, q: Optional[str] = None, vip: Optional[bool] = None, kind: Optional[Literal["person", "role", "automated"]] = None, limit: Optional[int] = None, cursor: Optional[str] = None) -> ContactList:
        """List contacts. `GET /contacts`"""
        return self._json("GET", "/contacts", {"q": q, "vip": vip, "kind": kind, "limit": limit, "cursor": cursor}, None, None)

    def update_contact(self, id: str, body: ContactPatch, *, idempotency_key: Optional[str] = None) -> ContactPatched:
        """Update a contact. `PATCH /contacts/{id}`"""
        return self._json("PATCH", f"/contacts/{_quote(id)}", {}, body, idempotency_key)

    def import_contacts(self, filename: str, content: bytes, *, idempotency_key: Optional[str] = None) -> ContactImport:
        """Import an address book. `POST /contacts/import`"""
        return self._upload("POST", "/contacts/import", filename, content, idempotency_key)

    def list_rules(self) -> RuleList:
        """List rules. `GET /rules`"""
        return self._json("GET", "/rules", {}, None, None)

    def create_rule(self, body: RuleCreate, *, idempotency_key: Optional[str] = None) -> RuleCreated:
        """Create a rule. `POST /rules`"""
        return self._json("POST", "/rules", {}, body, idempotency_key)

    def update_rule(self, id: str, body: RulePatch, *, idempotency_key: Optional[str] = None) -> Rule:
        """Update a rule. `PATCH /rules/{id}`"""
        return self._json("PATCH", f"/rules/{_quote(id)}", {}, body, idempotency_key)

    def delete_rule(self, id: str, *, idempotency_key: Optional[str] = None) -> RuleDeleted:
        """Delete a rule. `DELETE /rules/{id}`"""
        return self._json("DELETE", f"/rules/{_quote(id)}", {}, None, idempotency_key)

    def reorder_rules(self, body: RuleOrder, *, idempotency_key: Optional[str] = None) -> RuleList:
        """Reorder rules. `PUT /rules/order`"""
        return self._json("PUT", "/rules/order", {}, body, idempotency_key)

    def preview_rule(self, body: RulePreviewRequest, *, idempotency_key: Optional[str] = None) -> RulePreview:
        """Preview a rule. `POST /rules/preview`"""
        return self._json("POST", "/rules/preview", {}, body, idempotency_key)

    def apply_rule(self, id: str, body: RuleApply, *, idempotency_key: Optional[str] = None) -> RuleProgress:
        """Apply a rule to existing mail. `POST /rules/{id}/apply`"""
        return self._json("POST", f"/rules/{_quote(id)}/apply", {}, body, idempotency_key)

    def get_rule_progress(self, id: str) -> RuleProgress:
        """Get the progress of applying a rule. `GET /rules/{id}/apply`"""
        return self._json("GET", f"/rules/{_quote(id)}/apply", {}, None, None)

    def list_context_profiles(self, *, limit: Optional[int] = None, cursor: Optional[str] = None) -> ContextProfileList:
        """List client profiles. `GET /context/profiles`"""
        return self._json("GET", "/context/profiles", {"limit": limit, "cursor": cursor}, None, None)

    def create_context_profile(self, body: ContextProfileCreate, *, idempotency_key: Optional[str] = None) -> ContextProfile:
        """Create a client profile. `POST /context/profiles`"""
        return self._json("POST", "/context/profiles", {}, body, idempotency_key)

    def get_context_profile(self, id: str) -> ContextProfile:
        """Get a client profile. `GET /context/profiles/{id}`"""
        return self._json("GET", f"/context/profiles/{_quote(id)}", {}, None, None)

    def update_context_profile(self, id: str, body: ContextProfilePatch, *, idempotency_key: Optional[str] = None) -> ContextProfilePatched:
        """Update a client profile. `PATCH /context/profiles/{id}`"""
        return self._json("PATCH", f"/context/profiles/{_quote(id)}", {}, body, idempotency_key)

    def delete_context_profile(self, id: str, *, idempotency_key: Optional[str] = None) -> ContextProfileDeleted:
        """Delete a client profile. `DELETE /context/profiles/{id}`"""
        return self._json("DELETE", f"/context/profiles/{_quote(id)}", {}, None, idempotency_key)

    def list_context_variables(self) -> ContextVariableList:
        """List global variables. `GET /context/variables`"""
        return self._json("GET", "/context/variables", {}, None, None)

    def set_context_variable(self, key: str, body: ContextVariablePut, *, idempotency_key: Optional[str] = None) -> ContextVariable:
        """Set a global variable. `PUT /context/variables/{key}`"""
        return self._json("PUT", f"/context/variables/{_quote(key)}", {}, body, idempotency_key)

    def delete_context_variable(self, key: str, *, idempotency_key: Optional[str] = None) -> ContextVariableDeleted:
        """Delete a global variable. `DELETE /context/variables/{key}`"""
        return self._json("DELETE", f"/context/variables/{_quote(key)}", {}, None, idempotency_key)

    def list_context_files(self, *, profile_id: Optional[str] = None, limit: Optional[int] = None, cursor: Optional[str] = None) -> ContextFileList:
        """List context files. `GET /context/files`"""
        return self._json("GET", "/context/files", {"profile_id": profile_id, "limit": limit, "cursor": cursor}, None, None)

    def add_context_file(self, filename: str, content: bytes, *, idempotency_key: Optional[str] = None) -> ContextFile:
        """Upload a context file. `POST /context/files`"""
        return self._upload("POST", "/context/files", filename, content, idempotency_key)

    def get_context_file_content(self, id: str) -> bytes:
        """Download a context file. `GET /context/files/{id}/content`"""
        return self._bytes("GET", f"/context/files/{_quote(id)}/content", {})

    def delete_context_file(self, id: str, *, idempotency_key: Optional[str] = None) -> ContextFileDeleted:
        """Delete a context file. `DELETE /context/files/{id}`"""
        return self._json("DELETE", f"/context/files/{_quote(id)}", {}, None, idempotency_key)

    def list_calendar_events(self, *, from_: str, to: str) -> CalendarEventList:
        """List calendar events. `GET /calendar/events`"""
        return self._json("GET", "/calendar/events", {"from": from_, "to": to}, None, None)

    def create_calendar_event(self, body: CalendarEventCreate, *, idempotency_key: Optional[str] = None) -> CalendarEventCreated:
        """Create an event. `POST /calendar/events`"""
        return self._json("POST", "/calendar/events", {}, body, idempotency_key)

    def delete_calendar_event(self, id: str, *, idempotency_key: Optional[str] = None) -> CalendarEventDeleted:
        """Delete an event. `DELETE /calendar/events/{id}`"""
        return self._json("DELETE", f"/calendar/events/{_quote(id)}", {}, None, idempotency_key)

    def list_events(self, *, limit: Optional[int] = None, after: Optional[str] = None, types: Optional[str] = None) -> EventList:
        """List events. `GET /events`"""
        return self._json("GET", "/events", {"limit": limit, "after": after, "types": types}, None, None)

    def list_webhooks(self, *, limit: Optional[int] = None, cursor: Optional[str] = None, status: Optional[Literal["active", "disabled"]] = None) -> WebhookList:
        """List webhook endpoints. `GET /webhooks`"""
        return self._json("GET", "/webhooks", {"limit": limit, "cursor": cursor, "status": status}, None, None)

    def create_webhook(self, body: NewWebhookEndpoint, *, idempotency_key: Optional[str] = None) -> WebhookCreated:
        """Create a webhook endpoint. `POST /webhooks`"""
        return self._json("POST", "/webhooks", {}, body, idempotency_key)

    def get_webhook(self, id: str) -> WebhookReply:
        """Get a webhook endpoint. `GET /webhooks/{id}`"""
        return self._json("GET", f"/webhooks/{_quote(id)}", {}, None, None)

    def update_webhook(self, id: str, body: WebhookPatch, *, idempotency_key: Optional[str] = None) -> WebhookUpdated:
        """Update a webhook endpoint. `PATCH /webhooks/{id}`"""
        return self._json("PATCH", f"/webhooks/{_quote(id)}", {}, body, idempotency_key)

    def delete_webhook(self, id: str, *, idempotency_key: Optional[str] = None) -> None:
        """Delete a webhook endpoint. `DELETE /webhooks/{id}`"""
        return self._json("DELETE", f"/webhooks/{_quote(id)}", {}, None, idempotency_key)

    def rotate_webhook_secret(self, id: str, *, idempotency_key: Optional[str] = None) -> WebhookRotated:
        """Rotate the secret. `POST /webhooks/{id}/rotate-secret`"""
        return self._json("POST", f"/webhooks/{_quote(id)}/rotate-secret", {}, None, idempotency_key)

    def list_webhook_deliveries(self, id: str, *, limit: Optional[int] = None, cursor: Optional[str] = None, status: Optional[Literal["pending", "delivered", "failed"]] = None) -> WebhookDeliveryList:
        """List deliveries. `GET /webhooks/{id}/deliveries`"""
        return self._json("GET", f"/webhooks/{_quote(id)}/deliveries", {"limit": limit, "cursor": cursor, "status": status}, None, None)

    def get_webhook_delivery(self, id: str, delivery_id: str) -> WebhookDeliveryDetail:
        """Get a delivery. `GET /webhooks/{id}/deliveries/{delivery_id}`"""
        return self._json("GET", f"/webhooks/{_quote(id)}/deliveries/{_quote(delivery_id)}", {}, None, None)

    def redeliver_webhook(self, id: str, delivery_id: str, *, idempotency_key: Optional[str] = None) -> WebhookDeliveryReply:
        """Redeliver an event. `POST /webhooks/{id}/deliveries/{delivery_id}/redeliver`"""
        return self._json("POST", f"/webhooks/{_quote(id)}/deliveries/{_quote(delivery_id)}/redeliver", {}, None, idempotency_key)

    def get_latest_brief(self) -> Brief:
        """Get the latest brief. `GET /brief/latest`"""
        return self._json("GET", "/brief/latest", {}, None, None)

    def generate_brief(self, *, idempotency_key: Optional[str] = None) -> BriefGenerated:
        """Generate today's brief. `POST /brief/generate`"""
        return self._json("POST", "/brief/generate", {}, None, idempotency_key)

    def get_brief_settings(self) -> BriefSettings:
        """Get brief settings. `GET /brief/settings`"""
        return self._json("GET", "/brief/settings", {}, None, None)

    def update_brief_settings(self, body: BriefSettingsPatch, *, idempotency_key: Optional[str] = None) -> BriefSettings:
        """Update brief settings. `PATCH /brief/settings`"""
        return self._json("PATCH", "/brief/settings", {}, body, idempotency_key)

    def ask_inbox(self, body: Question, *, idempotency_key: Optional[str] = None) -> Answer:
        """Answer a question from your mail. `POST /ai/ask`"""
        return self._json("POST", "/ai/ask", {}, body, idempotency_key)

    def summarize_thread(self, body: ThreadChoice, *, idempotency_key: Optional[str] = None) -> Summary:
        """Summarize a thread. `POST /ai/summarize`"""
        return self._json("POST", "/ai/summarize", {}, body, idempotency_key)

    def extract_from_thread(self, body: ThreadChoice, *, idempotency_key: Optional[str] = None) -> Extraction:
        """Extract facts from a thread. `POST /ai/extract`"""
        return self._json("POST", "/ai/extract", {}, body, idempotency_key)

    def get_ai_engine(self) -> EngineStatus:
        """Get the AI engine status. `GET /ai/engine`"""
        return self._json("GET", "/ai/engine", {}, None, None)

    def list_model_calls(self, *, limit: Optional[int] = None, cursor: Optional[str] = None) -> ModelCallList:
        """List calls to language models. `GET /ai/calls`"""
        return self._json("GET", "/ai/calls", {"limit": limit, "cursor": cursor}, None, None)

    def run_agent(self, *, idempotency_key: Optional[str] = None) -> AgentRun:
        """Run the agent on new mail. `POST /agent/run`"""
        return self._json("POST", "/agent/run", {}, None, idempotency_key)

    def list_agent_actions(self, *, limit: Optional[int] = None, cursor: Optional[str] = None) -> AgentActionList:
        """List agent actions. `GET /agent/actions`"""
        return self._json("GET", "/agent/actions", {"limit": limit, "cursor": cursor}, None, None)

    def undo_agent_action(self, id: str, *, idempotency_key: Optional[str] = None) -> AgentAction:
        """Undo an agent action. `POST /agent/actions/{id}/undo`"""
        return self._json("POST", f"/agent/actions/{_quote(id)}/undo", {}, None, idempotency_key)

    def search(self, body: SearchRequest, *, idempotency_key: Optional[str] = None) -> SearchReply:
        """Search mail. `POST /search`"""
        return self._json("POST", "/search", {}, body, idempotency_key)

    def suggest_search(self, *, q: str, limit: Optional[int] = None) -> SuggestReply:
        """Complete a query. `GET /search/suggest`"""
        return self._json("GET", "/search/suggest", {"q": q, "limit": limit}, None, None)

    def get_usage(self) -> Usage:
        """Get plan and usage. `GET /usage`"""
        return self._json("GET", "/usage", {}, None, None)

    def list_audit(self, *, limit: Optional[int] = None, cursor: Optional[str] = None, action: Optional[str] = None, target: Optional[str] = None) -> AuditList:
        """List audit entries. `GET /audit`"""
        return self._json("GET", "/audit", {"limit": limit, "cursor": cursor, "action": action, "target": target}, None, None)

    def get_openapi(self) -> Dict[str, Any]:
        """Get the OpenAPI description. `GET /openapi.json`"""
        return self._json("GET", "/openapi.json", {}, None, None)
