import type { Security, Server } from "../../api/connect.ts";
import { Select, TextField } from "../../parts/field.tsx";
import { SECURITY } from "./labels.ts";

interface ServerFieldsProps {
  title: string;
  hint?: string;
  server: Server;
  fault?: string;
  onChange(server: Server): void;
}

/** Fields for one mail server. */
export function ServerFields({ title, hint, server, fault, onChange }: ServerFieldsProps) {
  return (
    <fieldset class="group">
      <legend>{title}</legend>
      {hint && <p class="hint">{hint}</p>}
      <div class="columns server">
        <TextField
          label="Server"
          mono
          autocomplete="off"
          value={server.host}
          fault={fault}
          onInput={(host) => onChange({ ...server, host: host.trim() })}
        />
        <TextField
          label="Port"
          inputmode="numeric"
          autocomplete="off"
          value={String(server.port)}
          onInput={(port) => onChange({ ...server, port: Number.parseInt(port, 10) || 0 })}
        />
        <Select
          label="Encryption"
          value={server.security}
          options={SECURITY}
          onChange={(security) => onChange({ ...server, security: security as Security })}
        />
      </div>
    </fieldset>
  );
}
