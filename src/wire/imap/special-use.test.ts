import { describe, expect, test } from "bun:test";
import { assignRoles, type FolderRole, folderRole, isSelectable, type ListedFolder } from "./special-use.ts";

const folder = (path: string, fields: Partial<ListedFolder> = {}): ListedFolder => ({
  path,
  delimiter: "/",
  specialUse: null,
  flags: new Set(["\\HasNoChildren"]),
  ...fields,
});

describe("folderRole", () => {
  test.each<[string, FolderRole]>([
    ["\\Sent", "sent"],
    ["\\Drafts", "drafts"],
    ["\\Trash", "trash"],
    ["\\Junk", "spam"],
    ["\\JUNK", "spam"],
    ["\\Archive", "archive"],
    ["\\All", "all"],
    ["\\Flagged", "flagged"],
    ["\\Important", "important"],
    ["\\Snoozed", "snoozed"],
    ["\\Subscribed", "other"],
  ])("the attribute %s means %s, in any position and with any name", (attribute, role) => {
    expect(folderRole(folder("Any/Where", { specialUse: attribute }))).toBe(role);
    expect(folderRole(folder("Any/Where", { flags: new Set(["\\HasChildren", attribute]) }))).toBe(role);
  });

  test.each<[FolderRole, string[]]>([
    ["inbox", ["INBOX", "Inbox", "inbox"]],
    ["sent", ["Sent", "SENT", "Sent Items", "Sent Messages", "Sent Mail", "sent-mail", "Sent_Items"]],
    [
      "sent",
      [
        "Gesendet",
        "Gesendete Elemente",
        "Gesendete Objekte",
        "Envoyés",
        "Éléments envoyés",
        "E\u0301le\u0301ments envoye\u0301s",
      ],
    ],
    [
      "sent",
      [
        "Enviados",
        "Elementos enviados",
        "Itens Enviados",
        "E-mails enviados",
        "Inviata",
        "Posta inviata",
        "Verzonden items",
      ],
    ],
    [
      "sent",
      [
        "Skickat",
        "Skickade objekt",
        "Sendt",
        "Sendte elementer",
        "Lähetetyt",
        "Wysłane",
        "Elementy wysłane",
        "Odeslané",
      ],
    ],
    [
      "sent",
      ["Odoslaná pošta", "Elküldött elemek", "Trimise", "Изпратени", "Отправленные", "Надіслані", "Απεσταλμένα"],
    ],
    [
      "sent",
      ["Gönderilmiş Öğeler", "Gönderilmiş Postalar", "נשלחו", "البريد المرسل", "已发送", "已发送邮件", "寄件備份"],
    ],
    [
      "sent",
      [
        "送信済み",
        "送信済みアイテム",
        "보낸편지함",
        "보낸 편지함",
        "ส่งแล้ว",
        "Đã gửi",
        "Terkirim",
        "Enviats",
        "Poslano",
      ],
    ],
    ["sent", ["Saadetud", "Nosūtītie", "Išsiųsta"]],
    [
      "drafts",
      ["Drafts", "Entwürfe", "Brouillons", "Borradores", "Rascunhos", "Bozze", "Concepten", "Utkast", "Kladder"],
    ],
    [
      "drafts",
      ["Luonnokset", "Wersje robocze", "Koncepty", "Piszkozatok", "Ciorne", "Черновики", "Чернетки", "Πρόχειρα"],
    ],
    ["drafts", ["Taslaklar", "טיוטות", "المسودات", "草稿", "草稿箱", "下書き", "임시보관함", "แบบร่าง", "Nháp", "Draf"]],
    ["trash", ["Trash", "Deleted Items", "Deleted Messages", "Bin", "Papierkorb", "Gelöschte Elemente", "Corbeille"]],
    [
      "trash",
      ["Éléments supprimés", "Papelera", "Elementos eliminados", "Lixeira", "Itens Excluídos", "Cestino", "Prullenbak"],
    ],
    [
      "trash",
      [
        "Papperskorgen",
        "Papirkurv",
        "Roskakori",
        "Kosz",
        "Koš",
        "Lomtár",
        "Coș de gunoi",
        "Корзина",
        "Удалённые",
        "Кошик",
      ],
    ],
    [
      "trash",
      [
        "Κάδος απορριμμάτων",
        "Çöp Kutusu",
        "Silinmiş Öğeler",
        "אשפה",
        "المهملات",
        "已删除",
        "垃圾桶",
        "ゴミ箱",
        "휴지통",
        "ถังขยะ",
      ],
    ],
    [
      "spam",
      ["Spam", "Junk", "Junk E-mail", "Junk Email", "Bulk Mail", "Spamverdacht", "Unerwünscht", "Courrier indésirable"],
    ],
    [
      "spam",
      ["Indésirables", "Correo no deseado", "Lixo Eletrônico", "Posta indesiderata", "Ongewenste e-mail", "Skräppost"],
    ],
    [
      "spam",
      [
        "Søppelpost",
        "Roskaposti",
        "Wiadomości-śmieci",
        "Nevyžádaná pošta",
        "Levélszemét",
        "Спам",
        "Ανεπιθύμητη αλληλογραφία",
      ],
    ],
    [
      "spam",
      ["Gereksiz", "דואר זבל", "البريد العشوائي", "垃圾邮件", "迷惑メール", "스팸메일함", "จดหมายขยะ", "Thư rác"],
    ],
    [
      "archive",
      ["Archive", "Archives", "Archiv", "Archivio", "Archivo", "Arquivo", "Archief", "Arkiv", "Arkisto", "Archiwum"],
    ],
    ["archive", ["Архив", "Архів", "Αρχείο", "Arşiv", "ארכיון", "أرشيف", "归档", "封存", "アーカイブ", "보관함"]],
    ["snoozed", ["Snoozed", "Zurückgestellt"]],
    [
      "other",
      ["Projects", "Sent to lawyer", "Important", "Todos", "Starred", "Outbox", "Postausgang", "Sentiment", ""],
    ],
  ])("as %s by name: %p", (role, names) => {
    for (const name of names) expect({ name, role: folderRole(folder(name)) }).toEqual({ name, role });
  });

  test.each<[string, string | null, FolderRole]>([
    ["INBOX.Sent", ".", "sent"],
    ["INBOX/Entwürfe", "/", "drafts"],
    ["Inbox.Trash", ".", "trash"],
    ["INBOX.INBOX", ".", "other"],
    ["[Gmail]/Sent Mail", "/", "sent"],
    ["[Google Mail]/Gesendet", "/", "sent"],
    ["[Gmail]/Alle Nachrichten", "/", "all"],
    ["[Gmail]/Todos", "/", "all"],
    ["[Gmail]/Starred", "/", "flagged"],
    ["[Gmail]/Suivis", "/", "flagged"],
    ["[Gmail]/Wichtig", "/", "important"],
    ["[Gmail]/ゴミ箱", "/", "trash"],
    ["Work/Drafts", "/", "other"],
    ["INBOX.Work.Sent", ".", "other"],
    ["Archive/2024", "/", "other"],
    ["Sent", null, "sent"],
    ["INBOX.Sent", null, "sent"],
    ["INBOX", null, "inbox"],
    ["Work/Sent", null, "other"],
    ["Sent", "", "sent"],
  ])("%p with the delimiter %p is %s", (path, delimiter, role) => {
    expect(folderRole(folder(path, { delimiter }))).toBe(role);
  });

  test("a folder that cannot hold messages has no role", () => {
    for (const flag of ["\\Noselect", "\\NoSelect", "\\NonExistent"]) {
      const sent = folder("Sent", { specialUse: "\\Sent", flags: new Set([flag]) });
      expect(folderRole(sent)).toBe("other");
      expect(isSelectable(sent)).toBe(false);
    }
  });
});

describe("assignRoles", () => {
  const roles = (...folders: ListedFolder[]) => Object.fromEntries(assignRoles(folders));

  test("the server's attribute wins over a better-matching name", () => {
    expect(roles(folder("Sent"), folder("Company/Outgoing", { specialUse: "\\Sent" }))).toEqual({
      Sent: "other",
      "Company/Outgoing": "sent",
    });
  });

  test("among equals the shortest path wins, then the first in sort order, regardless of listing order", () => {
    const list = [
      folder("INBOX.Sent", { delimiter: "." }),
      folder("Sent Items"),
      folder("Sent"),
      folder("Junk"),
      folder("Spam"),
    ];
    const expected: Record<string, FolderRole> = {
      Sent: "sent",
      "Sent Items": "other",
      "INBOX.Sent": "other",
      Junk: "spam",
      Spam: "other",
    };
    expect(roles(...list)).toEqual(expected);
    expect(roles(...list.toReversed())).toEqual(expected);
  });

  test("a container that only looks like a role does not take it from a real folder", () => {
    expect(roles(folder("Archive", { flags: new Set(["\\Noselect"]) }), folder("INBOX/Archive"))).toEqual({
      "INBOX/Archive": "archive",
    });
  });

  test("INBOX stays the inbox, even when another folder claims to be it", () => {
    expect(roles(folder("In", { specialUse: "\\Inbox" }), folder("INBOX"))).toEqual({ INBOX: "inbox", In: "other" });
  });

  test("a German Gmail account is recognized", () => {
    const gmail = (name: string, use: string) =>
      folder(`[Gmail]/${name}`, { flags: new Set(["\\HasNoChildren", use]) });
    expect(
      roles(
        folder("INBOX"),
        folder("[Gmail]", { flags: new Set(["\\HasChildren", "\\Noselect"]) }),
        gmail("Alle Nachrichten", "\\All"),
        gmail("Entwürfe", "\\Drafts"),
        gmail("Gesendet", "\\Sent"),
        gmail("Markiert", "\\Flagged"),
        gmail("Papierkorb", "\\Trash"),
        gmail("Spam", "\\Junk"),
        gmail("Wichtig", "\\Important"),
        folder("Rechnungen"),
      ),
    ).toEqual({
      INBOX: "inbox",
      "[Gmail]/Alle Nachrichten": "all",
      "[Gmail]/Entwürfe": "drafts",
      "[Gmail]/Gesendet": "sent",
      "[Gmail]/Markiert": "flagged",
      "[Gmail]/Papierkorb": "trash",
      "[Gmail]/Spam": "spam",
      "[Gmail]/Wichtig": "important",
      Rechnungen: "other",
    });
  });
});
