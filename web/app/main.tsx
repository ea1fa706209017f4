import { render } from "preact";
import { Shell } from "./shell.tsx";
import { refreshSession } from "./state/session.ts";

void refreshSession();
render(<Shell />, document.getElementById("app")!);
