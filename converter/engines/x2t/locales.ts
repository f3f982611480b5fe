/** Numbers of locales ([MS-LCID] 2.2), by which x2t knows how numbers and dates are written. */
const table = `
  af-ZA:1078 am-ET:1118 ar-AE:14337 ar-BH:15361 ar-DZ:5121 ar-EG:3073 ar-IQ:2049 ar-JO:11265 ar-KW:13313
  ar-LB:12289 ar-LY:4097 ar-MA:6145 ar-OM:8193 ar-QA:16385 ar-SA:1025 ar-SY:10241 ar-TN:7169 ar-YE:9217
  arn-CL:1146 as-IN:1101 az-AZ:1068 ba-RU:1133 be-BY:1059 bg-BG:1026 bn-IN:1093 bo-BT:2129 bo-CN:1105
  br-FR:1150 bs-BA:5146 ca-ES:1027 co-FR:1155 cs-CZ:1029 cy-GB:1106 da-DK:1030 de-AT:3079 de-CH:2055
  de-DE:1031 de-LI:5127 de-LU:4103 div-MV:1125 dsb-DE:2094 el-GR:1032 en-AU:3081 en-BZ:10249 en-CA:4105
  en-GB:2057 en-IE:6153 en-IN:16393 en-JM:8201 en-MY:17417 en-NZ:5129 en-PH:13321 en-TT:11273
  en-US:1033 en-ZA:7177 en-ZW:12297 es-AR:11274 es-BO:16394 es-CL:13322 es-CO:9226 es-CR:5130 es-DO:7178
  es-EC:12298 es-ES:1034 es-GT:4106 es-HN:18442 es-MX:2058 es-NI:19466 es-PA:6154 es-PE:10250 es-PR:20490
  es-PY:15370 es-SV:17418 es-UY:14346 es-US:21514 es-VE:8202 et-EE:1061 eu-ES:1069 fa-IR:1065 fi-FI:1035
  fil-PH:1124 fo-FO:1080 fr-BE:2060 fr-CA:3084 fr-CH:4108 fr-FR:1036 fr-LU:5132 fr-MC:6156 fy-NL:1122
  ga-IE:2108 gbz-AF:1164 gl-ES:1110 gsw-FR:1156 gu-IN:1095 ha-NG:1128 he-IL:1037 hi-IN:1081 hr-BA:4122
  hr-HR:1050 hu-HU:1038 hy-AM:1067 id-ID:1057 ii-CN:1144 is-IS:1039 it-CH:2064 it-IT:1040 iu-CA:1117
  ja-JP:1041 ka-GE:1079 kh-KH:1107 kk-KZ:1087 kl-GL:1135 kn-IN:1099 ko-KR:1042 kok-IN:1111 ky-KG:1088
  lb-LU:1134 lo-LA:1108 lt-LT:1063 lv-LV:1062 mi-NZ:1153 mk-MK:1071 ml-IN:1100 mn-CN:2128 mn-MN:1104
  moh-CA:1148 mr-IN:1102 ms-BN:2110 ms-MY:1086 mt-MT:1082 nb-NO:1044 ne-NP:1121 nl-BE:2067 nl-NL:1043
  nn-NO:2068 ns-ZA:1132 oc-FR:1154 or-IN:1096 pa-IN:1094 pl-PL:1045 ps-AF:1123 pt-BR:1046 pt-PT:2070
  qut-GT:1158 quz-BO:1131 quz-EC:2155 quz-PE:3179 rm-CH:1047 ro-RO:1048 ru-RU:1049 rw-RW:1159 sa-IN:1103
  sah-RU:1157 se-FI:3131 se-NO:1083 se-SE:2107 si-LK:1115 sk-SK:1051 sl-SI:1060 sma-NO:6203 sma-SE:7227
  smj-NO:4155 smj-SE:5179 smn-FI:9275 sms-FI:8251 sq-AL:1052 sr-BA:6170 sr-SP:2074 sv-FI:2077 sv-SE:1053
  sw-KE:1089 syr-SY:1114 ta-IN:1097 te-IN:1098 tg-TJ:1064 th-TH:1054 tk-TM:1090 tmz-DZ:2143 tn-ZA:1074
  tr-TR:1055 tt-RU:1092 ug-CN:1152 uk-UA:1058 ur-IN:2080 ur-PK:1056 uz-UZ:1091 vi-VN:1066 wen-DE:1070
  wo-SN:1160 xh-ZA:1076 yo-NG:1130 zh-CN:2052 zh-HK:3076 zh-MO:5124 zh-SG:4100 zh-TW:1028 zu-ZA:1077
`;

const numbers: ReadonlyMap<string, number> = new Map(
  table
    .trim()
    .split(/\s+/)
    .map((entry) => entry.split(':'))
    .map(([locale, number]) => [locale!.toLowerCase(), Number(number)]),
);

/** The number of a locale such as `de-AT`; of the likely region where only a language is given; else undefined. */
export function localeNumber(locale: string): number | undefined {
  const known = numbers.get(locale.toLowerCase());
  if (known !== undefined) return known;
  try {
    const { language, region } = new Intl.Locale(locale).maximize();
    return numbers.get(`${language}-${region}`.toLowerCase());
  } catch {
    return undefined;
  }
}
