/** The words of everything that the planner says, by text code. `{name}` is replaced by the argument of that name. */
export const PLAN_TEXTS: Readonly<Record<string, { readonly en: string; readonly ru: string }>> = {
  'plan.not_supported': {
    en: '{where}: "{field}" is not executed by this version',
    ru: '{where}: «{field}» эта версия не исполняет',
  },
  // choosing
  'plan.no_target': {
    en: 'the intent names no target',
    ru: 'в намерении не указана цель',
  },
  'plan.unknown_type': {
    en: 'no pack has the resource type {type}',
    ru: 'ни в одном пакете нет типа ресурсов {type}',
  },
  'plan.unknown_prefix': {
    en: 'no resource type has the key prefix "{prefix}" of {key}',
    ru: 'ни у одного типа ресурсов нет префикса «{prefix}» из {key}',
  },
  'plan.unknown_action': {
    en: 'no scenario does "{action}" on {type}',
    ru: 'ни один сценарий не делает «{action}» для {type}',
  },
  'plan.unknown_scenario_choice': {
    en: 'the chosen scenario {wanted} does not do this',
    ru: 'выбранный сценарий {wanted} этого не делает',
  },
  'plan.several_scenarios': {
    en: 'several scenarios do "{action}" on {type}: {options}',
    ru: 'несколько сценариев делают «{action}» для {type}: {options}',
  },
  'plan.no_name': {
    en: 'the {type} has no name',
    ru: 'у ресурса типа {type} нет имени',
  },
  'plan.two_names': {
    en: 'the intent names its resource twice: {first} and {second}',
    ru: 'ресурс назван дважды: {first} и {second}',
  },
  'plan.wrong_prefix': {
    en: '{key} is not the key of a {type}',
    ru: '{key} — не ключ ресурса типа {type}',
  },
  'plan.unknown_environment': {
    en: 'there is no environment {environment}',
    ru: 'нет окружения {environment}',
  },
  'plan.hosts_in_several_environments': {
    en: 'the hosts are in several environments: {environments}',
    ru: 'хосты находятся в разных окружениях: {environments}',
  },
  'plan.resource_elsewhere': {
    en: '{key} is in environment {environment}, not in {wanted}',
    ru: '{key} находится в окружении {environment}, а не {wanted}',
  },
  'plan.environment_not_permitted': {
    en: 'pack {pack} may not be used in environment {environment}',
    ru: 'пакет {pack} нельзя применять в окружении {environment}',
  },
  'plan.pack_need_unmet': {
    en: 'pack {pack} needs {needs} {range}; installed: {found}',
    ru: 'пакету {pack} нужен {needs} {range}; установлен: {found}',
  },
  'plan.unknown_parameter': {
    en: 'unknown parameter {path}',
    ru: 'неизвестный параметр {path}',
  },
  'plan.missing_parameter': {
    en: 'parameter {path} is missing',
    ru: 'нет параметра {path}',
  },
  'plan.invalid_parameter': {
    en: '{path} cannot be {found}',
    ru: '{path} не может быть {found}',
  },
  'plan.nul': {
    en: '{path} holds the character U+0000',
    ru: '{path} содержит символ U+0000',
  },
  'plan.unsupported_schema': {
    en: 'the schema of {path} asks for what this version does not do',
    ru: 'схема {path} требует того, чего эта версия не умеет',
  },
  'plan.expression_failed': {
    en: '{where}: parameter {parameter}: "{source}" has no value: {error}',
    ru: '{where}: параметр {parameter}: у «{source}» нет значения: {error}',
  },
  // hosts
  'plan.unknown_host': {
    en: '{path}: host {host} is not enrolled',
    ru: '{path}: хост {host} не подключён',
  },
  'plan.host_elsewhere': {
    en: 'host {host} is in environment {environment}, not in {wanted}',
    ru: 'хост {host} находится в окружении {environment}, а не {wanted}',
  },
  'plan.host_twice': {
    en: 'host {host} stands twice in host set {set}',
    ru: 'хост {host} указан дважды в наборе {set}',
  },
  'plan.takes_no_hosts': {
    en: 'the scenario takes no hosts',
    ru: 'сценарий не принимает хосты',
  },
  'plan.hosts_need_sets': {
    en: 'the scenario has several host sets ({sets}): one list cannot say which host is in which',
    ru: 'у сценария несколько наборов хостов ({sets}): по одному списку не понять, какой хост в каком',
  },
  'plan.unknown_host_set': {
    en: 'the scenario has no host set {set}',
    ru: 'у сценария нет набора хостов {set}',
  },
  'plan.wrong_host_count': {
    en: 'host set {set}: {wanted} wanted, {found} named',
    ru: 'в наборе {set} должно быть хостов: {wanted}, указано: {found}',
  },
  'plan.invalid_count': {
    en: 'host set {set}: count "{source}" gives {found}',
    ru: 'набор {set}: количество «{source}» даёт {found}',
  },
  'plan.invalid_hosts': {
    en: 'host set {set}: hosts "{source}" gives {found}',
    ru: 'набор {set}: «{source}» даёт {found}',
  },
  'plan.choose_hosts': {
    en: 'which hosts are in {set} ({wanted})? Fitting: {options}',
    ru: 'какие хосты входят в {set} ({wanted})? Подходят: {options}',
  },
  'plan.too_few_hosts': {
    en: 'host set {set} needs {wanted} hosts, environment {environment} has {found}',
    ru: 'набору {set} нужно хостов: {wanted}, в окружении {environment} их {found}',
  },
  'plan.not_isolated': {
    en: '{job} may run only in an isolated sandbox, and {host} is not isolated',
    ru: '{job} можно выполнять только в изолированной песочнице, а {host} не изолирован',
  },
  'plan.never_in_sandbox': {
    en: '{job} may not run on the sandbox host {host}',
    ru: '{job} нельзя выполнять на хосте песочницы {host}',
  },
  'plan.no_own_host': {
    en: '{where}: target "host" has no single meaning here (host sets: {sets})',
    ru: '{where}: цель «host» здесь не определена однозначно (наборы: {sets})',
  },
  'plan.unknown_set': {
    en: '{where}: {name} names the host set {set}, which the scenario does not have',
    ru: '{where}: {name} ссылается на набор хостов {set}, которого нет в сценарии',
  },
  'plan.empty_set': {
    en: '{where}: host set {set} has no host',
    ru: '{where}: в наборе {set} нет ни одного хоста',
  },
  // references
  'plan.unknown_job': {
    en: 'stage {stage}: there is no job {job}',
    ru: 'стадия {stage}: нет задания {job}',
  },
  'plan.unknown_check': {
    en: '{where}: there is no check {check}',
    ru: '{where}: нет проверки {check}',
  },
  'plan.unknown_capability': {
    en: '{where}: no pack in reach declares the capability {capability}',
    ru: '{where}: ни один доступный пакет не объявляет возможность {capability}',
  },
  'plan.unknown_artifact': {
    en: '{where}: no pack in reach declares the artifact {artifact}',
    ru: '{where}: ни один доступный пакет не объявляет артефакт {artifact}',
  },
  'plan.unknown_binding': {
    en: '{where}: the scenario has no requirement {name}',
    ru: '{where}: у сценария нет требования {name}',
  },
  'plan.unknown_stage': {
    en: 'stage {stage} is after {after}, which does not exist',
    ru: 'стадия {stage} стоит после {after}, которой нет',
  },
  'plan.duplicate_stage': {
    en: 'there are two stages {stage}',
    ru: 'две стадии {stage}',
  },
  'plan.ambiguous_subject': {
    en: '{where}: {name} could be of several: {subjects}',
    ru: '{where}: {name} может относиться к нескольким: {subjects}',
  },
  'plan.no_subject': {
    en: '{where}: {name} belongs to a {of}, and nothing here is one',
    ru: '{where}: {name} относится к {of}, а здесь такого нет',
  },
  'plan.any_output': {
    en: '{where}: {name} is given of any(…), so nobody can say whose it is',
    ru: '{where}: {name} выдаётся для any(…), и неясно, чьё оно',
  },
  'plan.given_by_each': {
    en: '{job} runs on {count} hosts and each of them gives {thing}',
    ru: '{job} выполняется на хостах ({count}), и каждый выдаёт {thing}',
  },
  'plan.no_proof': {
    en: '{where}: no check proves {name}',
    ru: '{where}: ни одна проверка не доказывает {name}',
  },
  'plan.artifact_not_permitted': {
    en: '{where}: pack {pack} may not read the sensitive artifact {artifact}',
    ru: '{where}: пакету {pack} нельзя читать секретный артефакт {artifact}',
  },
  // what the world holds
  'plan.fact_holds': {
    en: '{capability} of {subject} is proved since {provedAt}',
    ru: '{capability} у {subject} доказано {provedAt}',
  },
  'plan.fact_holds_until': {
    en: '{capability} of {subject} was proved {provedAt} and is good until {freshUntil}',
    ru: '{capability} у {subject} доказано {provedAt} и действует до {freshUntil}',
  },
  'plan.fact_missing': {
    en: '{capability} of {subject} was never proved',
    ru: '{capability} у {subject} ещё не доказано',
  },
  'plan.fact_stale': {
    en: '{capability} of {subject} is stale since its proof of {provedAt}',
    ru: '{capability} у {subject} устарело, доказано {provedAt}',
  },
  'plan.fact_expired': {
    en: 'the proof of {capability} of {subject} was good until {at}',
    ru: 'доказательство {capability} у {subject} действовало до {at}',
  },
  'plan.fact_failed': {
    en: 'the last check of {capability} of {subject} said no',
    ru: 'последняя проверка {capability} у {subject} ответила «нет»',
  },
  'plan.fact_withdrawn': {
    en: '{capability} of {subject} was withdrawn',
    ru: '{capability} у {subject} снято',
  },
  'plan.fact_asserted': {
    en: '{capability} of {subject} is only asserted, not proved',
    ru: '{capability} у {subject} лишь заявлено, не доказано',
  },
  'plan.fact_stand_in': {
    en: '{capability} of {subject} was proved through a stand-in, and environment {environment} is not a lab',
    ru: '{capability} у {subject} доказано на имитации, а окружение {environment} — не лаборатория',
  },
  'plan.artifact_missing': {
    en: '{artifact} of {owner} does not exist yet',
    ru: '{artifact} у {owner} ещё не существует',
  },
  'plan.artifact_stored': {
    en: '{artifact} of {owner} is stored as version {version}',
    ru: '{artifact} у {owner} хранится, версия {version}',
  },
  'plan.artifact_stored_until': {
    en: '{artifact} of {owner} is stored as version {version}, good until {expiresAt}; needed about {neededAt}',
    ru: '{artifact} у {owner} хранится, версия {version}, до {expiresAt}; понадобится около {neededAt}',
  },
  'plan.artifact_of_operation': {
    en: 'version {version} of {artifact} of {owner} belonged to an earlier operation only',
    ru: 'версия {version} артефакта {artifact} у {owner} относилась только к прежней операции',
  },
  'plan.artifact_expired': {
    en: 'expired {expiresAt}; needed about {neededAt}',
    ru: 'истёк {expiresAt}; понадобится около {neededAt}',
  },
  'plan.artifact_expires_before_use': {
    en: 'expires {expiresAt}; needed about {neededAt}',
    ru: 'истекает {expiresAt}; понадобится около {neededAt}',
  },
  'plan.artifact_too_short': {
    en: 'expires {expiresAt}; needed about {neededAt} with {needed} s left',
    ru: 'истекает {expiresAt}; понадобится около {neededAt} с запасом {needed} с',
  },
  // providers
  'plan.given_by': {
    en: '{provider} gives it in this plan',
    ru: 'в этом плане это даёт {provider}',
  },
  'plan.proved_again': {
    en: 'it holds, and {provider} proves it again',
    ru: 'действует, и {provider} докажет это заново',
  },
  'plan.generated': {
    en: 'the server makes {artifact} of {owner} at start',
    ru: '{artifact} для {owner} создаст сервер при запуске',
  },
  'plan.stands_later': {
    en: 'its stage {stage} comes after {consumer}',
    ru: 'его стадия {stage} идёт после {consumer}',
  },
  'plan.nearer_provider': {
    en: '{provider} stands nearer',
    ru: '{provider} стоит ближе',
  },
  'plan.not_needed': {
    en: 'not needed',
    ru: 'не требуется',
  },
  'plan.not_chosen': {
    en: 'another one was chosen',
    ru: 'выбран другой',
  },
  'plan.not_on_demand': {
    en: 'not on_demand',
    ru: 'не on_demand',
  },
  'plan.not_on_demand_destructive': {
    en: 'not on_demand; destructive',
    ru: 'не on_demand; разрушающее',
  },
  'plan.destructive': {
    en: 'destructive',
    ru: 'разрушающее',
  },
  'plan.too_risky': {
    en: 'its risk is {risk}',
    ru: 'его риск — {risk}',
  },
  'plan.pack_not_needed': {
    en: 'pack {pack} is not among the needs of {by}',
    ru: 'пакета {pack} нет среди needs пакета {by}',
  },
  'plan.too_deep': {
    en: 'more than {limit} inserted jobs would stand behind each other',
    ru: 'пришлось бы вставить больше {limit} заданий друг за другом',
  },
  'plan.other_subject': {
    en: 'it does not give it for {subject}',
    ru: 'даёт это не для {subject}',
  },
  'plan.provider_unmet': {
    en: 'it needs {needs} of {subject} itself, which nothing gives',
    ru: 'ему самому нужно {needs} у {subject}, а этого ничто не даёт',
  },
  'plan.circular_need': {
    en: 'it would need itself: {path}',
    ru: 'оно потребовало бы само себя: {path}',
  },
  'plan.no_host_for': {
    en: 'no single host stands for {subject}',
    ru: 'нет одного хоста, отвечающего за {subject}',
  },
  'plan.no_such_set': {
    en: 'the scenario has no host set {set}',
    ru: 'у сценария нет набора хостов {set}',
  },
  'plan.not_in_set': {
    en: '{subject} is not in host set {set}',
    ru: '{subject} не входит в набор {set}',
  },
  'plan.other_environment': {
    en: 'it is in environment {environment}',
    ru: 'находится в окружении {environment}',
  },
  'plan.wrong_version': {
    en: 'version {found} is not in {range}',
    ru: 'версия {found} не входит в {range}',
  },
  'plan.where_false': {
    en: '"{where}" does not hold',
    ru: 'условие «{where}» не выполнено',
  },
  'plan.where_error': {
    en: '"{where}" has no value: {error}',
    ru: 'у «{where}» нет значения: {error}',
  },
  'plan.inserted_for': {
    en: 'needed for {needs}, which do not hold',
    ru: 'нужно для {needs}: сейчас не действует',
  },
  'plan.disturbed_by': {
    en: '{capability} of {subject} is disturbed by {by} and proved again',
    ru: '{by} нарушает {capability} у {subject}, доказывается заново',
  },
  // refusals
  'plan.requirement_unmet': {
    en: 'requirement {requirement}: no {capability} to use. Tried: {tried}',
    ru: 'требование {requirement}: нет подходящего {capability}. Проверено: {tried}',
  },
  'plan.several_providers': {
    en: 'requirement {requirement}: several have {capability}: {options}',
    ru: 'требование {requirement}: {capability} есть у нескольких: {options}',
  },
  'plan.several_jobs': {
    en: '{requirement}: several jobs give {name} of {subject}: {options}',
    ru: '{requirement}: {name} у {subject} дают несколько заданий: {options}',
  },
  'plan.unmet': {
    en: '{requirement}: nothing gives {name} of {subject}. Tried: {tried}',
    ru: '{requirement}: ничто не даёт {name} у {subject}. Проверено: {tried}',
  },
  'plan.promise_not_given': {
    en: '{where} promises {capability} of {subject}, which none of its jobs gives',
    ru: '{where}: обещано {capability} у {subject}, но ни одно задание этого не даёт',
  },
  'plan.cannot_reprove': {
    en: '{by} disturbs {capability} of {subject}, and nothing can prove it again',
    ru: '{by} нарушает {capability} у {subject}, и доказать заново нечем',
  },
  'plan.cycle': {
    en: 'each waits for the next: {path}',
    ru: 'каждый ждёт следующего: {path}',
  },
  'plan.too_many_expansions': {
    en: '{requirement}: more than {limit} provider searches, the last for {subject}',
    ru: '{requirement}: больше {limit} поисков поставщика, последний для {subject}',
  },
  'plan.too_many_inserted': {
    en: '{requirement}: more than {limit} different jobs would have to be inserted',
    ru: '{requirement}: пришлось бы вставить больше {limit} разных заданий',
  },
  'plan.too_many_nodes': {
    en: 'scenario {scenario} gives more than {limit} nodes',
    ru: 'сценарий {scenario} даёт больше {limit} узлов',
  },
  // graph and patches
  'plan.duplicate_key': {
    en: 'two nodes have the key {key}',
    ru: 'два узла с ключом {key}',
  },
  'plan.unknown_in_node': {
    en: 'node {node} names the {what} {name}, which the plan does not have',
    ru: 'узел {node} ссылается на {what} {name}, которого нет в плане',
  },
  'plan.provider_not_upstream': {
    en: 'node {node} needs {name} of {subject} from {provider}, which is neither before it nor bound',
    ru: 'узлу {node} нужно {name} у {subject} от {provider}, но тот не стоит раньше и не привязан',
  },
  'plan.stale_revision': {
    en: 'the patch is made for revision {base}, the plan is at {revision}',
    ru: 'правка сделана для ревизии {base}, у плана ревизия {revision}',
  },
  'plan.empty_patch': {
    en: 'the patch changes nothing',
    ru: 'правка ничего не меняет',
  },
  'plan.unknown_anchor': {
    en: 'the plan has no node, job or stage {anchor}',
    ru: 'в плане нет узла, задания или стадии {anchor}',
  },
  'plan.patch_not_supported': {
    en: 'changes of kind {kind} are not executed by this version',
    ru: 'правки вида {kind} эта версия не исполняет',
  },
};
