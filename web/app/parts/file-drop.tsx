import { useId, useState } from "preact/hooks";
import { Icon } from "./icon.tsx";

interface FileDropProps {
  label: string;
  hint?: string;
  fault?: string;
  /** The chosen file. */
  file: File | null;
  /** Type endings for the browser's file dialog: ".zip,.mbox". */
  accept?: string;
  onFile(file: File): void;
}

/** A field for one file, which can also be dropped on it. The keyboard reaches the file input itself. */
export function FileDrop({ label, hint, fault, file, accept, onFile }: FileDropProps) {
  const id = useId();
  const [over, setOver] = useState(false);
  const described = [hint && `${id}-hint`, fault && `${id}-fault`].filter(Boolean).join(" ");
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      <fieldset
        class={over ? "file-drop over" : "file-drop"}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault();
          setOver(false);
          const dropped = event.dataTransfer?.files[0];
          if (dropped) onFile(dropped);
        }}
      >
        <Icon name="upload" size={26} />
        <p class="file-drop-text">{file ? <strong>{file.name}</strong> : "Drop a file here, or choose one:"}</p>
        <input
          id={id}
          type="file"
          accept={accept}
          aria-describedby={described || undefined}
          aria-invalid={fault ? true : undefined}
          onChange={(event) => {
            const chosen = event.currentTarget.files?.[0];
            if (chosen) onFile(chosen);
          }}
        />
      </fieldset>
      {fault && (
        <p class="fault" id={`${id}-fault`}>
          {fault}
        </p>
      )}
    </div>
  );
}
