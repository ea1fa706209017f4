/**
 * What each cue (in the order of cues.ts) and word or pair of words adds to the log-odds that a sentence asks for or
 * promises something. Written by tools/intent/fit.ts; not to be edited.
 */

export const BIAS = -1.88;

// biome-ignore format: a table
export const CUE_WEIGHTS: readonly number[] = [
  1.24, 0.01, 1.04, 1.29, -0.52, 0.35, 0.89, 0.83, 1.9, 1.6, 1.2, 0.38, 0.18, 0.22, 0.56, 0.85,
  0.17, 0.4, 0.32, 0.3, 0.32, 0.14, 0, 0.39, -0.17, -0.1, 0.42, 0.02, 0.05, -0.22, 0.49, 0.87,
  0, 0.13, 0.06, 0.18, 0.06, 0.23, 1.22, 0.07, 0.93, 0.13, 0.49, 0.52, 0.2, 0.34, 0.07, 0.21,
  0.43, -0.08, -0.41, -0.07, 0.2, -0.31, 0.6, -0.2, -0.04, -0.01, 2.8, -0.92, -0.08, -0.33, -0.12, -0.43,
  -0.26, -0.19, -0.2, 0.07, -0.31, 0.11, 0.09, 0.24, -0.32, -0.39, -0.09, 0.56, -0.07, -0.11, -0.08, 0.14,
  0.08, -0.54, 0.62, 0.09, 0.23, -0.37, 0.5, 0.16, 0.19,
];

/** Each a term, a blank and its weight, with ";" between them. "^" is the beginning of a sentence. */
export const TERM_WEIGHTS = `
? 0.51;^ a -0.51;^ also 0.26;^ and -0.31;^ can 0.37;^ check 0.27;^ could 0.38;^ did 0.52;^ for 0.54;^ how -0.38;
^ in -0.25;^ let's 0.41;^ look -0.38;^ please 0.65;^ see -0.24;^ shop 0.41;^ should 0.37;^ so -0.25;^ thanks -0.24;
^ the -0.31;^ to 0.5;^ use 0.28;^ who 0.24;^ would 0.27;^ your -0.27;a call 0.43;a chance 0.27;a discussion 0.33;
a great -0.4;a question 0.37;address book -0.61;after you 0.37;ahead 0.29;all -0.28;always -0.21;am 0.36;
and get 0.43;and give 0.25;and let 0.23;and password 0.31;and want -0.31;and we'll 0.17;answer -0.26;any 0.44;
any further 0.24;any questions -0.59;any time 0.5;anytime -0.29;appreciate 0.29;are -0.29;are available 0.31;
are in 0.26;are you 0.44;as possible 0.31;as you -0.31;asap 0.28;ask 0.38;asset 0.19;at 0.32;at your 0.33;away 0.36;
back with -0.42;bar 0.27;be 0.31;been -0.47;before the 0.27;below to -0.44;birthday -0.22;but -0.34;but if 0.33;
buy -0.4;call 0.92;call at -0.27;call you 0.33;can 0.54;can help -0.28;case 0.31;chance 0.32;change -0.46;
change your -0.37;chat 0.32;check 0.43;choose 0.28;claim -0.33;clicking on -0.19;company -0.41;complete 0.29;
concerns -0.35;contact us -0.22;contacts -0.28;continue -0.29;continue to -0.39;copies 0.29;could 0.64;
could you 0.32;cover 0.4;covered -0.33;created 0.31;day to -0.24;delivery -0.36;delivery to -0.29;did -0.19;
did you 0.28;didn't -0.42;discuss 1.57;discussed -0.39;discussing 0.29;discussion 0.44;do -0.27;don't you 0.3;
earn -0.31;effective 0.28;email -0.39;ensure delivery -0.37;even -0.4;event 0.35;every -0.42;experience -0.37;
feel -0.26;finally -0.33;first -0.34;for 0.26;forward this 0.27;friend -0.24;from -0.24;from you 0.32;full 0.28;
further 0.37;get a 0.32;get on 0.27;get to -0.47;gets -0.38;getting -0.21;give 0.23;give me 0.53;give us 0.25;
given that 0.29;go 0.41;go ahead 0.37;goals -0.23;got 0.29;great -0.21;guess -0.25;guys 0.36;happy to 0.4;
have an -0.35;have questions -0.26;haven't -0.3;he -0.36;help -0.26;here -0.31;hotel -0.28;i get 0.38;i had -0.24;
i have -0.34;i need 0.29;i should -0.24;i wanted 0.34;i will -0.36;i would 0.37;if 0.44;if this 0.31;if you -0.64;
if you're 0.3;if your 0.27;including 0.31;index 0.28;info -0.31;insurance -0.55;is -0.26;is good 0.24;is not 0.34;
is the 0.33;it in 0.45;jobs -0.25;join 1.11;just give 0.21;kind 0.29;know 0.46;know if 0.41;know when -0.39;
know you 0.25;later -0.27;let me 0.2;let's 0.57;lets discuss 0.23;lets you -0.27;life -0.47;line -0.34;
link below -0.39;link to 0.28;log 0.31;long -0.26;longer -0.36;look forward -0.44;looking for -0.35;looks 0.27;
make -0.37;makes -0.32;manage 0.29;manage your 0.27;may be -0.3;may want 0.41;me 0.71;me a 0.6;me at 0.23;
me know 0.74;meet 0.71;meet you 0.25;meeting you -0.3;money -0.31;more than -0.28;most -0.37;names -0.24;need 0.63;
need to 0.44;next 0.35;note -0.41;of -0.25;of us 0.3;off -0.36;on a -0.3;on for 0.32;on how 0.28;on your 0.37;
online 0.3;open 0.36;option 0.41;or not -0.29;other -0.3;our 0.3;p 0.28;page 0.47;parties 0.28;people -0.38;
phone 0.35;photos 0.26;plans 0.21;please 1.03;please add -0.71;please click -0.86;please feel -0.22;
please forward 0.28;please make 0.38;please send 0.29;please try -0.27;please visit -0.27;point -0.38;position -0.31;
post -0.36;power -0.46;premium 0.23;price -0.28;problems 0.32;provided -0.42;question 0.46;questions -0.68;
questions about -0.2;questions please -0.68;quick 0.31;reading -0.31;real -0.21;receive -0.44;receive these -0.29;
recommend 0.3;relationship -0.27;respond 0.29;review 0.4;schedule 0.23;second 0.28;see if -0.23;see you -0.4;
send it 0.33;send me 0.48;send you -0.24;shall 0.33;she -0.32;show -0.24;simply 0.43;speak 0.38;steps 0.34;
suggest 0.51;sunday 0.43;super 0.25;take 0.27;talk 0.38;tell me -0.19;thank -0.46;thank you -0.29;thanks -0.32;
that -0.27;that a 0.28;that if -0.5;that the -0.27;that we 0.44;that you 0.36;the attached 0.38;the message 0.29;
the offer 0.29;the office -0.36;their -0.37;they -0.41;think we 0.26;this is 0.29;this to -0.24;this week -0.26;
this weekend 0.25;though -0.29;thoughts on 0.26;time 0.16;to be -0.43;to call 0.2;to change -0.31;to contact -0.3;
to discuss 0.43;to have -0.32;to link 0.37;to look 0.29;to meet 0.37;to meeting -0.33;to participate 0.22;
to please -0.41;to respond 0.32;to see 0.23;to send -0.34;to share -0.3;to speak 0.38;to talk 0.36;
to unsubscribe -0.29;to your -0.33;tomorrow -0.36;tonight 0.34;top -0.43;try 0.32;trying -0.32;trying to -0.32;
unfortunately -0.24;unsubscribe -0.4;up and 0.3;updated -0.23;us please -0.52;video -0.27;visit 0.54;visit our -0.23;
visit your -0.35;wait -0.24;way -0.4;we 0.3;we can 0.46;we could 0.43;we hope -0.28;we want -0.42;we'll 0.43;
weeks -0.3;were 0.39;what is 0.49;what's -0.23;whether -0.28;while -0.28;who are -0.31;why don't 0.3;will -0.3;
will discuss 0.3;will you 0.29;wish -0.32;wish to -0.31;with him 0.26;with our -0.31;with this 0.23;wondering 0.28;
wondering if 0.43;works 0.61;works for 0.33;world -0.35;would 0.5;would be 0.34;x -0.23;year -0.42;you an 0.26;
you and 0.45;you are 0.45;you do -0.31;you don't -0.26;you enjoy -0.37;you for -0.39;you get 0.43;you may 0.37;
you on -0.36;you please 0.22;you should 0.34;you still 0.22;you think 0.61;you to 0.33;you will 0.32;you wish -0.3;
you won't 0.33;your address -0.44;your contacts -0.31;your email -0.31;your inbox -0.36;
`;
