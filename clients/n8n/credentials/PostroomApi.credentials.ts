import type { IAuthenticateGeneric, ICredentialTestRequest, ICredentialType, INodeProperties } from "n8n-workflow";

export class PostroomApi implements ICredentialType {
  name = "postroomApi";

  displayName = "Postroom API";

  documentationUrl = "https://www.npmjs.com/package/n8n-nodes-postroom#credentials";

  icon = { light: "file:../icons/postroom.svg", dark: "file:../icons/postroom.dark.svg" } as const;

  properties: INodeProperties[] = [
    {
      displayName: "Server Address",
      name: "url",
      type: "string",
      default: "http://127.0.0.1:8025",
      placeholder: "https://mail.example.org",
      required: true,
      description:
        "Address of your Postroom server, with or without /v1. In Docker, 127.0.0.1 is the container of n8n: use the name of Postroom's container instead.",
    },
    {
      displayName: "API Key",
      name: "apiKey",
      type: "string",
      typeOptions: { password: true },
      default: "",
      placeholder: "service_live_...",
      required: true,
      description:
        "Create a key on Postroom's settings page. A test key (service_test_) sees only the sandbox and sends nothing.",
    },
  ];

  authenticate: IAuthenticateGeneric = {
    type: "generic",
    properties: { headers: { Authorization: "=Bearer {{$credentials.apiKey}}" } },
  };

  test: ICredentialTestRequest = {
    request: {
      baseURL: '={{$credentials.url.trim().replace(/\\/+$/, "").replace(/\\/v1$/, "")}}/v1',
      url: "/accounts",
    },
  };
}
