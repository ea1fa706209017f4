import type { SplitBody } from "../../wire/mime/body.ts";
import type { ParsedMessage } from "../../wire/mime/types.ts";
/**
 * The parsed contents of a message, with its text split from quotes. Attachments have no bytes, except what a delivery
 * status notification encloses. Can be passed through a structured clone.
 */
export interface Contents extends ParsedMessage, Omit<SplitBody, "cut"> {}
