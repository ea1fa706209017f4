/** Fixed phrases of drafts in one language and form of address. */
export interface Phrases {
  /** {name} is the first name, {full} the whole name. */
  greeting: string;
  plainGreeting: string;
  thanks: string;
  asked: string;
  blank: string;
  sign_off: string;
}

/** The phrases by ISO 639-1 code. */
export const PHRASES: Readonly<Record<string, { formal: Phrases; informal: Phrases }>> = {
  en: {
    formal: {
      greeting: "Dear {full},",
      plainGreeting: "Hello,",
      thanks: "Thank you for your message.",
      asked: "You asked:",
      blank: "[your answer]",
      sign_off: "Best regards,",
    },
    informal: {
      greeting: "Hi {name},",
      plainGreeting: "Hello,",
      thanks: "Thank you for your message.",
      asked: "You asked:",
      blank: "[your answer]",
      sign_off: "Best regards,",
    },
  },
  de: {
    formal: {
      greeting: "Guten Tag {full},",
      plainGreeting: "Guten Tag,",
      thanks: "vielen Dank für Ihre Nachricht.",
      asked: "Zu Ihrer Frage:",
      blank: "[Ihre Antwort]",
      sign_off: "Mit freundlichen Grüßen",
    },
    informal: {
      greeting: "Hallo {name},",
      plainGreeting: "Hallo,",
      thanks: "vielen Dank für deine Nachricht.",
      asked: "Zu deiner Frage:",
      blank: "[deine Antwort]",
      sign_off: "Viele Grüße",
    },
  },
  fr: {
    formal: {
      greeting: "Bonjour,",
      plainGreeting: "Bonjour,",
      thanks: "Merci pour votre message.",
      asked: "Vous demandiez :",
      blank: "[votre réponse]",
      sign_off: "Cordialement,",
    },
    informal: {
      greeting: "Bonjour {name},",
      plainGreeting: "Bonjour,",
      thanks: "Merci pour ton message.",
      asked: "Tu demandais :",
      blank: "[ta réponse]",
      sign_off: "À bientôt,",
    },
  },
  es: {
    formal: {
      greeting: "Buenos días:",
      plainGreeting: "Buenos días:",
      thanks: "Gracias por su mensaje.",
      asked: "Preguntaba:",
      blank: "[su respuesta]",
      sign_off: "Un cordial saludo,",
    },
    informal: {
      greeting: "Hola {name}:",
      plainGreeting: "Hola:",
      thanks: "Gracias por tu mensaje.",
      asked: "Preguntabas:",
      blank: "[tu respuesta]",
      sign_off: "Un saludo,",
    },
  },
  it: {
    formal: {
      greeting: "Gentile {full},",
      plainGreeting: "Buongiorno,",
      thanks: "grazie per il messaggio.",
      asked: "Lei chiedeva:",
      blank: "[la risposta]",
      sign_off: "Cordiali saluti,",
    },
    informal: {
      greeting: "Ciao {name},",
      plainGreeting: "Ciao,",
      thanks: "grazie per il messaggio.",
      asked: "Mi chiedevi:",
      blank: "[la risposta]",
      sign_off: "A presto,",
    },
  },
  nl: {
    formal: {
      greeting: "Beste {full},",
      plainGreeting: "Goedendag,",
      thanks: "Bedankt voor uw bericht.",
      asked: "U vroeg:",
      blank: "[uw antwoord]",
      sign_off: "Met vriendelijke groet,",
    },
    informal: {
      greeting: "Hallo {name},",
      plainGreeting: "Hallo,",
      thanks: "Bedankt voor je bericht.",
      asked: "Je vroeg:",
      blank: "[je antwoord]",
      sign_off: "Groeten,",
    },
  },
  pt: {
    formal: {
      greeting: "Bom dia,",
      plainGreeting: "Bom dia,",
      thanks: "Obrigado pela sua mensagem.",
      asked: "Perguntou:",
      blank: "[a sua resposta]",
      sign_off: "Cumprimentos,",
    },
    informal: {
      greeting: "Olá {name},",
      plainGreeting: "Olá,",
      thanks: "Obrigado pela mensagem.",
      asked: "Perguntaste:",
      blank: "[a tua resposta]",
      sign_off: "Um abraço,",
    },
  },
};
