/** The words of everything that the catalog says of documents and packs, by text code. */
export const DOCUMENT_TEXTS: Readonly<Record<string, { readonly en: string; readonly ru: string }>> = {
  'doc.invalid_yaml': { en: 'not accepted as YAML: {detail}', ru: 'не принимается как YAML: {detail}' },
  'doc.document_too_large': {
    en: 'over the limit of {limit} {what}',
    ru: 'превышен предел: {limit} ({what})',
  },
  'doc.no_documents': { en: 'there is no document here', ru: 'здесь нет ни одного документа' },
  'doc.duplicate_key': { en: 'the key {key} stands twice', ru: 'ключ {key} указан дважды' },
  'doc.not_finite': { en: '{value} is no finite number', ru: '{value} — не конечное число' },
  'doc.unsafe_number': { en: 'the number {value} would lose digits', ru: 'число {value} потеряло бы цифры' },
  'doc.nul_in_parameter': { en: 'a text with a NUL character', ru: 'текст с символом NUL' },
  'doc.lone_surrogate': { en: 'a text with half a character', ru: 'текст с половиной символа' },

  'doc.unknown_document': {
    en: 'it is not clear what this document is',
    ru: 'непонятно, что это за документ',
  },
  'doc.unknown_key': { en: 'unknown key {key} in {where}', ru: 'неизвестный ключ {key} в {where}' },
  'doc.missing_key': { en: '{where} lacks the key {key}', ru: 'в {where} не хватает ключа {key}' },
  'doc.missing_value': { en: '{key} has no value', ru: 'у {key} нет значения' },
  'doc.wrong_type': { en: '{key} is {found}', ru: 'неверный тип {key}: {found}' },
  'doc.unquoted_text': {
    en: '{key}: {source} without quotes is read as {value}, not as a text',
    ru: '{key}: {source} без кавычек читается как {value}, а не как текст',
  },
  'doc.invalid_value': { en: '{key} cannot be {value}', ru: '{key} не может быть {value}' },
  'doc.two_spellings': {
    en: '{short} and {long} say the same thing',
    ru: '{short} и {long} — это одно и то же',
  },
  'doc.parameter_twice': {
    en: 'the parameter {key} has one value beside action and another in desired_result',
    ru: 'у параметра {key} одно значение рядом с action и другое в desired_result',
  },
  'doc.more_than_one': { en: '{given} exclude each other', ru: '{given} исключают друг друга' },
  'doc.unreadable': { en: '{path} cannot be read: {detail}', ru: '{path} не читается: {detail}' },
  'doc.not_a_file': { en: '{path} is not a regular file', ru: '{path} — не обычный файл' },
  'doc.not_an_intent': { en: 'this document is of kind {kind}', ru: 'это документ вида {kind}' },
  'doc.more_than_one_document': { en: 'a second document in the file', ru: 'второй документ в файле' },

  'doc.duplicate_id': { en: 'the {what} {name} is there twice', ru: 'дважды объявлено: {what} {name}' },
  'doc.unknown_reference': {
    en: 'nobody declares the {what} {name}',
    ru: 'никто не объявляет: {what} {name}',
  },
  'doc.cycle': { en: 'a ring: {path}', ru: 'кольцо: {path}' },
  'doc.invalid_expression': {
    en: 'the expression {source} is refused: {detail}',
    ru: 'выражение {source} отклонено: {detail}',
  },
  'doc.invalid_schema': { en: 'not a usable JSON Schema: {detail}', ru: 'непригодная JSON Schema: {detail}' },
  'doc.invalid_pattern': {
    en: 'the pattern {pattern} is refused: {detail}',
    ru: 'шаблон {pattern} отклонён: {detail}',
  },
  'doc.sensitive_value': {
    en: 'the parameter {name} is sensitive and is given as an expression',
    ru: 'параметр {name} секретный, а задан выражением',
  },
  'doc.from_capstan': {
    en: 'no command of a pack runs on a machine of Capstan',
    ru: 'команды пакетов не выполняются на машинах Capstan',
  },
  'doc.proves_nothing': {
    en: '{output} is proved and not among the outputs',
    ru: '{output} доказывается, но не среди выходов',
  },
  'doc.not_in_evidence': {
    en: 'the check {check} proves something and is not in outputs.evidence',
    ru: 'проверка {check} что-то доказывает, но её нет в outputs.evidence',
  },
  'doc.stage_named_like_job': {
    en: 'a stage and a job are both named {name}, so an anchor would mean either',
    ru: 'этап и задание названы одинаково: {name}; якорь был бы двусмысленным',
  },

  'doc.no_folder': {
    en: 'the folder {dir} cannot be read: {detail}',
    ru: 'папка {dir} не читается: {detail}',
  },
  'doc.empty_pack': { en: 'the folder {dir} holds no document', ru: 'в папке {dir} нет документов' },
  'doc.folder_too_deep': { en: 'folders nest deeper than {limit}', ru: 'вложенность папок больше {limit}' },
  'doc.folder_too_large': {
    en: 'the pack is larger than {files} files or {bytes} bytes',
    ru: 'пакет больше {files} файлов или {bytes} байт',
  },
  'doc.incomplete': {
    en: 'the {what} is incomplete: {missing}',
    ru: 'неполный документ ({what}): {missing}',
  },
  'doc.missing_file': { en: 'the pack has no file {path}', ru: 'в пакете нет файла {path}' },
  'doc.crlf_in_script': {
    en: 'CRLF in a script: {path} has Windows line ends',
    ru: 'CRLF в скрипте: в {path} концы строк Windows',
  },
  'doc.each_gives_host_only': {
    en: 'a job of each host cannot give {capability}, which belongs to {of}',
    ru: 'задание на каждом хосте не может давать {capability}: она принадлежит {of}',
  },
  'doc.needs_sudo': {
    en: 'it runs as {user}, and the pack does not ask for that right',
    ru: 'выполняется как {user}, а пакет такого права не просит',
  },
  'doc.needs_artifact_permission': {
    en: 'it reads {artifact}, a secret of another pack, and the pack does not ask for that right',
    ru: 'читает {artifact}, секрет другого пакета, а пакет такого права не просит',
  },
  'doc.foreign_name': {
    en: 'the {what} {name} is declared by the pack {pack} too',
    ru: 'то же имя ({what} {name}) объявляет и пакет {pack}',
  },
  'doc.needs_itself': { en: 'the pack {name} needs itself', ru: 'пакет {name} требует сам себя' },
  'doc.need_broken': {
    en: 'the needed pack {name} has problems itself',
    ru: 'в нужном пакете {name} есть свои ошибки',
  },
  'doc.need_version': {
    en: 'it needs {name} {range} and finds {found}',
    ru: 'нужен {name} {range}, а есть {found}',
  },
  'doc.invalid_range': { en: '{range} is no version range', ru: '{range} — не диапазон версий' },
  'doc.no_subject': {
    en: 'in {scenario} the {what} {name} belongs to {of}, which is neither the host, nor the target, nor bound',
    ru: 'в {scenario} {what} {name} принадлежит {of}: это не хост, не цель и не привязка',
  },
  'doc.ambiguous_subject': {
    en: 'in {scenario} it is not clear whose {what} {name} of {of} is meant: {fits}',
    ru: 'в {scenario} неясно, чьё имеется в виду ({what} {name}, {of}): {fits}',
  },
  'doc.not_given': { en: 'no job here gives {capability}', ru: 'ни одно задание здесь не даёт {capability}' },
  'doc.generated_not_sensitive': {
    en: 'a value for {artifact} is generated, and it is not sensitive',
    ru: 'значение {artifact} генерируется, но не помечено как секретное',
  },
  'doc.generated_for_other': {
    en: '{artifact} belongs to {of}, not to the target of the scenario',
    ru: '{artifact} принадлежит {of}, а не цели сценария',
  },
  'doc.undeclared_rights': {
    en: 'a job runs as {user}, and the pack lists no permissions',
    ru: 'задание выполняется как {user}, а пакет не перечисляет прав',
  },
  'doc.not_executed': {
    en: '{part}: accepted in a pack, not executed yet',
    ru: '{part}: принимается в пакете, но пока не исполняется',
  },
};
