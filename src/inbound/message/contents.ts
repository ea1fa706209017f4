import type { SplitBody } from "../../wire/mime/body.ts";
import type { ParsedMessage } from "../../wire/mime/types.ts";
/**
 * What a message says, parsed and split. Attachments without their bytes, except what a delivery status notification
 * encloses. Survives a structured clone.
 */
export interface Contents extends ParsedMessage, Omit<SplitBody, "cut"> {}
