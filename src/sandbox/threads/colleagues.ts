import type { SandboxThread } from "../types.ts";

/** Subcontractors, inquiries, a conference in Spain, a magazine in Tokyo, a publisher in Amman. */
export const colleagues: SandboxThread[] = [
  {
    id: "noor-silhouettes",
    subject: "Van silhouettes, and are you free next month?",
    labels: ["clients", "harbourline"],
    messages: [
      {
        from: "alex",
        at: "-16b 10:20",
        to: ["noor"],
        body: `Hi Noor,

Priya says our van looks like a hearse, and now I can't unsee it. Could you redraw the large silhouette with windows and a bit of a nose? Same stroke, same baseline. Your usual rate, I'd guess two hours.

Best,
Alex`,
      },
      {
        from: "noor",
        at: "-16b 13:02",
        body: `Ha! It does. I blame the curtains.

You'll have it tomorrow. While I'm there, shall I do the trailer in two lengths? It would take another half hour and you always ask afterwards.`,
      },
      {
        from: "alex",
        at: "-16b 13:30",
        body: `Hi Noor,

You know me too well. Two trailers, please.

Best,
Alex`,
      },
      {
        from: "noor",
        at: "-15b 17:45",
        body: `Here you go: van with windows, short trailer, long trailer. SVGs are in the shared folder, a preview is attached.

No curtains.`,
        attachments: [
          {
            name: "silhouettes-preview.png",
            picture: {
              width: 360,
              height: 180,
              bands: ["eaf4f7", "eaf4f7", "eaf4f7", "1f4e5f", "16343f"],
              disc: { x: 0.3, y: 0.62, r: 0.16, colour: "f2b134" },
            },
          },
        ],
      },
      {
        from: "alex",
        at: "-14b 09:00",
        body: `Hi Noor,

These are perfect, thank you. Please invoice me 2.5 hours.

Next month I'll need you for about four days on the Brandt shop (German coffee, very nice people). I'll send you the brief as soon as the subscription screens are signed off, at the latest by {{now+7b|long}}.

Best,
Alex`,
      },
      {
        from: "noor",
        at: "-1d 10:12",
        unread: true,
        body: `Hi! Two other people are asking about next month, so: are the four days firm? I'd rather do yours, but I need to answer them by {{now+2b|weekday}}.

Also, did you get my invoice? It says €187.50, if that's wrong tell me.`,
      },
    ],
  },
  {
    id: "noor-invoice",
    subject: "Invoice NB-{{now-10|year}}-114",
    labels: ["invoices"],
    messages: [
      {
        from: "noor",
        at: "-10b 19:20",
        body: `Hi Alex,

invoice for the silhouettes attached: 2.5 hours at €75 is €187.50. Two weeks is fine, no stress.

Noor`,
        attachments: [
          {
            name: "NB-{{now-10|year}}-114.pdf",
            pdf: {
              title: "Invoice NB-{{now-10|year}}-114",
              lines: [
                "Noor Bakker, front-end and illustration, Utrecht",
                "To: Alex Morgan, Lisbon",
                "Date: {{date|full}}      Due: {{date+14|full}}",
                "",
                "Vehicle silhouettes, 2.5 h at €75.00       €187.50",
                "VAT reverse charged",
                "Total: €187.50",
              ],
            },
          },
        ],
      },
    ],
  },
  {
    id: "oakfield-inquiry",
    subject: "Website for a small school: is this something you do?",
    messages: [
      {
        from: "hannah",
        at: "-1d 09:40",
        unread: true,
        labels: ["leads"],
        body: `Dear Alex,

I run Oakfield School, 140 pupils, near Bath. A parent, Dana Whitlock, mentioned your work on the Harbourline tickets.

Our website is nine years old, and parents tell us they cannot find the term dates on a phone. We have about £6,000 and no deadline other than our own embarrassment.

Is that something you would take on, or is it too small for you? And if you can't, would you know somebody who could?

Yours,
Hannah Reyes
Head teacher`,
      },
    ],
  },
  {
    id: "quickmint-no",
    subject: "48h logo sprint, big exposure",
    folder: "archive",
    messages: [
      {
        from: "victor",
        at: "-63b 21:14",
        body: `Hey Alex!

Love your stuff. We launch in 48 hours and still need a logo, an app icon and a pitch deck. We can't pay right now, but the exposure will be insane: 30k on the waiting list. You in?

Victor, founder @ Quickmint`,
      },
      {
        from: "alex",
        at: "-62b 09:10",
        body: `Hi Victor,

Thanks for asking, and good luck with the launch. I don't take unpaid work, and I don't think 48 hours would do your company any good either. If you have a budget later in the year, write to me again; I'm happy to talk it through.

Best,
Alex`,
      },
      {
        from: "victor",
        at: "-62b 09:31",
        body: `Fair enough, respect. Talk after the seed round!`,
      },
    ],
  },
  {
    id: "saltworks-quote",
    subject: "A sentence about working with us?",
    messages: [
      {
        from: "elena",
        at: "-45b 11:11",
        folder: "archive",
        body: `Hi Alex,

We're finally redoing the Saltworks site and would love two sentences from you about our year together. Honest ones, please; you can mention the flood.

Elena`,
      },
      {
        from: "alex",
        at: "-44b 10:00",
        body: `Hi Elena,

With pleasure: "Saltworks answers questions the day they are asked, including the day the server room was under water. I have never had a client who read the research before I did."

Use it as you like. And thank you for sending Priya my way, that project is a joy.

Best,
Alex`,
      },
      {
        from: "elena",
        at: "-44b 12:26",
        folder: "archive",
        body: `That's lovely, and it's going right on the front page. I owe you lunch, next time you are in Bristol.

Elena`,
      },
    ],
  },
  {
    id: "diseno-abierto",
    subject: "Diseño Abierto: tu charla en Valencia",
    lang: "es-ES",
    labels: ["travel", "conference"],
    messages: [
      {
        from: "lucia",
        at: "-82b 12:00",
        body: `Hola Alex:

Soy Lucía Ortega, del equipo de Diseño Abierto. El año pasado vi tu charla sobre formularios en Oporto y me reí tanto como aprendí.

Nos encantaría que abrieras la jornada del {{now+28thu|long}} con una charla de 40 minutos, en inglés o en español. Cubrimos viaje, dos noches de hotel y 900 € de honorarios.

¿Te animas?

Un abrazo,
Lucía`,
      },
      {
        from: "alex",
        at: "-81b 10:30",
        body: `Hola Lucía:

Muchas gracias por la invitación, me hace mucha ilusión. Acepto encantado. Propongo el título «Una pregunta menos»: cómo quitar preguntas de un formulario sin que nadie las eche de menos. En español, si el público perdona mi acento.

Un saludo,
Alex`,
      },
      {
        from: "lucia",
        at: "-80b 17:15",
        body: `Hola Alex:

¡Qué bien! El título es perfecto y tu acento, también.

Te hemos reservado el Hotel Mirador, dos noches, a cinco minutos de la sala. El vuelo puedes comprarlo tú y nos pasas la factura.

Un abrazo,
Lucía`,
      },
      {
        from: "lucia",
        at: "-9b 10:40",
        body: `Hola Alex:

Ya falta poco. Necesitamos tres cosas para el programa:

- una biografía de 80 palabras
- una foto en buena resolución
- las diapositivas, antes del {{now+14b|long}}

La biografía y la foto nos corren más prisa, porque la imprenta cierra la semana que viene.

Un abrazo,
Lucía`,
      },
      {
        from: "alex",
        at: "-8b 18:20",
        body: `Hola Lucía:

Te adjunto la biografía. La foto te la envío mañana, y las diapositivas las tendrás antes del {{now+14b|long}}, como pediste.

Un saludo,
Alex`,
        attachments: [
          {
            name: "bio-alex-morgan.txt",
            text: `Alex Morgan diseña productos digitales desde Lisboa. Durante doce años ha quitado preguntas de formularios de bancos, hospitales, ferris y museos, y calcula haber ahorrado a la gente unos cuarenta siglos de teclear su dirección dos veces. Antes fue delineante en un astillero, donde aprendió que una línea de más también pesa. Trabaja solo, salvo cuando trabaja con las mejores personas que conoce. Pasea por la Graça con Inês y con un gato que se llama Parágrafo.
`,
          },
        ],
      },
      {
        from: "lucia",
        at: "-2b 13:05",
        unread: true,
        body: `Hola Alex:

La biografía es estupenda (¡Parágrafo!). ¿Nos puedes mandar la foto hoy o mañana? Es lo único que falta para cerrar el programa.

Y otra cosa: ¿te apuntas a la cena de ponentes la noche anterior? Tengo que confirmar el número de personas en el restaurante.

Un abrazo,
Lucía`,
      },
    ],
  },
  {
    id: "kumo-interview",
    subject: "「雲」インタビューのお願い",
    lang: "ja-JP",
    labels: ["press"],
    messages: [
      {
        from: "yuki",
        at: "-50b 02:10",
        body: `アレックス・モーガン様

デザイン誌「雲」編集部の田中由紀と申します。突然のご連絡を失礼いたします。

次号で「減らすデザイン」という特集を組むことになり、ぜひモーガン様にお話をうかがえればと思いご連絡いたしました。オンラインで一時間ほど、英語でも構いません。通訳はこちらで手配いたします。

ご検討いただけますと幸いです。

田中由紀
雲編集部`,
      },
      {
        from: "alex",
        at: "-49b 09:00",
        body: `田中様

ご連絡ありがとうございます。「減らすデザイン」、とても好きなテーマです。喜んでお受けします。

{{date+9b|long}}の日本時間18時はいかがでしょうか。日本語は読めますが、話すのは遅いので、通訳の方がいらっしゃると助かります。

よろしくお願いいたします。
アレックス`,
      },
      {
        from: "yuki",
        at: "-48b 01:30",
        body: `モーガン様

早速のお返事、ありがとうございます。ご提案の日時で問題ございません。通訳は佐藤が担当いたします。

当日は「質問を一つ減らす」というお話を中心にうかがいたいです。どうぞよろしくお願いいたします。

田中`,
      },
      {
        from: "yuki",
        at: "-4b 03:15",
        unread: true,
        body: `モーガン様

先日はありがとうございました。原稿がまとまりましたのでお送りします。事実関係のご確認をお願いいたします。

恐れ入りますが、修正がございましたら{{now+6b|long}}までにお知らせいただけますでしょうか。また、プロフィール写真を一枚お送りいただけますと助かります。

田中由紀
雲編集部`,
        attachments: [
          {
            name: "インタビュー原稿.txt",
            text: `「雲」特集 減らすデザイン
第三回 アレックス・モーガン

――質問を減らすと、何が変わりますか。
人が最後までたどり着きます。フェリーの予約では、車の長さを聞くのをやめただけで、所要時間が三分の一以下になりました。

――減らしてはいけない質問はありますか。
あります。同意に関する質問です。短くはしますが、なくしはしません。
`,
          },
        ],
      },
    ],
  },
  {
    id: "warraq-identity",
    subject: "هوية بصرية لدار الورّاق",
    lang: "ar-JO",
    labels: ["leads"],
    messages: [
      {
        from: "layla",
        at: "-13b 11:05",
        body: `مرحباً أليكس،

اسمي ليلى حداد، وأدير دار الورّاق، وهي مكتبة ودار نشر صغيرة في عمّان. رأيت عملك مع متحف المدّ والجزر وأعجبني كيف تعامل مع اللغتين معاً.

نبحث عن هوية بصرية جديدة تعمل بالعربية والإنجليزية: شعار، وأغلفة لسلسلة من اثني عشر كتاباً، وواجهة المتجر.

هل لديك وقت في الأشهر القادمة؟ وما التكلفة التقريبية؟

مع التحية،
ليلى`,
      },
      {
        from: "alex",
        at: "-12b 10:15",
        lang: "en-GB",
        body: `Hi Layla,

Thank you so much for writing, and forgive me for answering in English: I read Arabic slowly and write it badly.

I'd love to do this, on one condition: the Arabic comes first and is drawn by an Arabic type designer, not adapted from the Latin. I know two people I'd trust with it. For the identity and the series I'd estimate €12,000 to €15,000, including the lettering.

Could we talk in two weeks, when a large project of mine is past its copy freeze?

Best,
Alex`,
      },
      {
        from: "layla",
        at: "-6h",
        unread: true,
        body: `مرحباً أليكس،

شكراً على ردّك الصريح، وهذا بالضبط ما كنّا نأمله: العربية أولاً. الميزانية مناسبة لنا.

هل يناسبك أن نتحدّث يوم {{now+12b|long}} الساعة الحادية عشرة صباحاً بتوقيت لشبونة؟ وأرجو أن ترسل لي أسماء مصمّمي الخطوط قبل ذلك.

مع أطيب التحيات،
ليلى`,
      },
    ],
  },
];
