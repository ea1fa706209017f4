import type { SandboxThread } from "../types.ts";

/** What the provider's filter caught. */
export const junk: SandboxThread[] = [
  {
    id: "spam-prize",
    subject: "CONGRATULATIONS alex!! Your €1,000 voucher is RESERVED",
    folder: "spam",
    messages: [
      {
        from: "prize",
        at: "-4d 02:14",
        unread: true,
        body: `Dear WINNER,

your e-mail address was drawn out of 2,500,000 participants!!! Your voucher of €1,000 is reserved for 24 hours only.

>>> CLAIM NOW: https://lucky-draw.example/claim?id=alex <<<

A small handling fee of €1.95 applies. Do not share this code: WIN-7781`,
      },
    ],
  },
  {
    id: "spam-parcel",
    subject: "Your parcel could not be delivered (customs fee €2.99)",
    folder: "spam",
    messages: [
      {
        from: "parcel",
        at: "-1d 13:55",
        unread: true,
        html: `<html><body><p>Hello Customer,</p><p>Your parcel <b>PT-4490-118-22</b> is held at our depot because of an unpaid customs fee of <b>€2.99</b>.</p><p><a href="https://parcel-redelivery.example/pay">Pay now and choose a new delivery date</a></p><p style="color:#ffffff;font-size:1px">meeting notes agenda minutes project kind regards</p><img src="https://parcel-redelivery.example/seen.gif?u=alex" width="1" height="1"></body></html>`,
      },
    ],
  },
  {
    id: "spam-seo",
    subject: "Re: your website ranking",
    folder: "spam",
    messages: [
      {
        from: "seo",
        at: "-6d 10:30",
        body: `Hi there,

I was on your website and was shocked by 17 critical errors which keep you off page one. My team can fix them with 300 guaranteed links for only $199 a month.

Shall I send you the free audit? Just answer "yes".

Kevin
Growth Team`,
      },
    ],
  },
  {
    id: "spam-phish",
    subject: "Conta suspensa: confirme os seus dados em 24 horas",
    lang: "pt-PT",
    folder: "spam",
    messages: [
      {
        from: "phish",
        at: "-15h",
        unread: true,
        html: `<html><body style="font-family:Arial"><h2 style="color:#123c69">Banco Alfama</h2><p>Caro(a) cliente,</p><p>Detetámos uma actividade invulgar e <b>a sua conta foi suspensa</b>. Para evitar o bloqueio definitivo, confirme o número do cartão e o código de segurança.</p><p><a href="https://alfama-verificacao.example/entrar">https://bancoalfama.example/confirmar</a></p><p>Departamento de Segurança</p></body></html>`,
        body: `Caro(a) cliente,

Detetámos uma actividade invulgar e a sua conta foi suspensa. Confirme os seus dados: https://alfama-verificacao.example/entrar

Departamento de Segurança`,
      },
    ],
  },
  {
    id: "spam-pills",
    subject: "Sleep like a baby or your money back",
    folder: "spam",
    messages: [
      {
        from: "pills",
        at: "-11d 04:41",
        body: `Doctors are furious about this one herbal secret.

90 capsules, 70 % off, discreet parcel: https://herbal-direct.example/sleep

To stop these messages write STOP to stop@herbal-direct.example`,
      },
    ],
  },
  {
    id: "spam-crypto",
    subject: "alex, your second income starts Monday",
    folder: "spam",
    messages: [
      {
        from: "crypto",
        at: "-19d 22:08",
        unread: true,
        body: `Good day,

my name is Mr. Desk and I manage a private fund. Our members earn 4.2 % per DAY without risk. Only two places are left for Lisbon.

Transfer a first deposit of €250 and your manager calls you within the hour.

https://coin-harvest.example/join`,
      },
    ],
  },
];
