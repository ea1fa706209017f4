/** Runs before every test file so that tests never see the developer's own Postroom settings. */
for (const name of Object.keys(process.env)) if (name.startsWith("POSTROOM_")) delete process.env[name];
