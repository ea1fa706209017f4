declare module "parse-prometheus-text-format" {
  /** A metric family of the text format; its samples as far as the package parses them (no histogram labels). */
  interface Family {
    name: string;
    help: string;
    type: string;
    metrics: { value?: string; labels?: Record<string, string> }[];
  }
  export default function parse(text: string): Family[];
}
