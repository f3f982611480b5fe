import type { Setting } from '../../platform/config/setting.ts';
import { settings } from '../../platform/config/settings.ts';
import type { Environment } from '../../platform/config.ts';
import type { ConfigurationAnswer } from './api.ts';

/** The settings in force. For secrets it says only whether they are set; addresses lose their passwords. */
export function configurationInForce(environment: Environment): ConfigurationAnswer {
  return {
    settings: Object.values<Setting<unknown>>(settings).map((setting) => {
      const given = textOf(environment, setting.env);
      const isSet =
        given !== '' || (setting.secret === true && textOf(environment, `${setting.env}_FILE`) !== '');
      const described = { variable: setting.env, isDefault: !isSet, description: setting.description };
      if (setting.secret) return { ...described, isSecret: true, value: isSet ? 'set' : 'not set' };
      return { ...described, isSecret: false, value: isSet ? withoutPasswords(given) : setting.defaultText };
    }),
  };
}

const textOf = (environment: Environment, variable: string): string => environment[variable]?.trim() ?? '';

/** Takes user, password and query out of addresses. */
const withoutPasswords = (text: string): string =>
  text
    .replace(/\b([a-z][a-z+]{0,20}:\/\/)[^\s/?#@]*@/gi, '$1…@')
    .replace(/(\b[a-z][a-z+]{0,20}:\/\/[^\s?#]*)[?#]\S*/gi, '$1');
