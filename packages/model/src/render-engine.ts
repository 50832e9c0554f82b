/** The words of what running says: reasons (by reason code) and problems of use cases (by text code). */
export const ENGINE_TEXTS: Readonly<Record<string, { readonly en: string; readonly ru: string }>> = {
  'operation.running': {
    en: '{operation} is running on {resource}: wait for it or cancel it',
    ru: '{operation} уже выполняется на {resource}: дождитесь её или отмените',
  },
  'operation.placed_elsewhere': {
    en: '{resource} stands on {hosts} since {operation}: it cannot be moved by naming other hosts',
    ru: '{resource} стоит на {hosts} с {operation}: перенести его, назвав другие хосты, нельзя',
  },
  'log.not_found': { en: 'no attempt {attempt}', ru: 'нет попытки {attempt}' },
  'operation.not_found': { en: 'no operation {operation}', ru: 'нет операции {operation}' },
  'attempt.not_found': {
    en: '{operation} has no attempt {attempt}',
    ru: 'в {operation} нет попытки {attempt}',
  },
  'artifact.not_found': { en: '{resource} has no artifact {name}', ru: 'у {resource} нет артефакта {name}' },
  'host.not_found': { en: 'no host {host}', ru: 'нет хоста {host}' },
  'host.bad_name': { en: '{host} is not a host name', ru: '{host} не имя хоста' },
  'host.bad_environment': {
    en: '{environment} is not a name of an environment',
    ru: '{environment} не имя окружения',
  },
  'host.in_lab': {
    en: '{host} cannot be added to {environment}: it is a lab, where simulated facts count',
    ru: '{host} нельзя добавить в {environment}: это лаборатория, где засчитываются имитированные факты',
  },
  'host.bad_port': { en: '{port} is not a port of {host}', ru: '{port} не порт хоста {host}' },
  'host.bad_key': {
    en: 'the key of {host} is not a private key in PEM or OpenSSH form',
    ru: 'ключ хоста {host} не закрытый ключ в форме PEM или OpenSSH',
  },
  'host.bad_address': {
    en: 'address and user of {host} must be words without spaces',
    ru: 'адрес и пользователь хоста {host} должны быть словами без пробелов',
  },
  'host.bad_fingerprint': {
    en: 'the host key of {host} is not a SHA256 fingerprint',
    ru: 'ключ хоста {host} не отпечаток SHA256',
  },
  'host.scan_failed': {
    en: '{host} shows no host key: {reason!}',
    ru: '{host} не предъявляет ключ хоста: {reason!}',
  },
  'idempotency.conflict': {
    en: 'the key {key} was used for another request',
    ru: 'ключ {key} уже использован для другого запроса',
  },
  'retry.no_node': { en: '{operation} has no node {node}', ru: 'в {operation} нет узла {node}' },
  'retry.node_not_stopped': {
    en: '{node} is {status}: only a failed, unproven or unknown node can be retried',
    ru: '{node} в состоянии {status}: повторить можно только узел в состоянии failed, unproven или unknown',
  },
  'retry.nothing_stopped': {
    en: 'nothing of {operation} stopped ({status})',
    ru: 'в {operation} ничего не остановилось ({status})',
  },
  'retry.operation_over': {
    en: '{operation} has ended: {status}. Apply the intent again to start a new operation',
    ru: '{operation} завершена: {status}. Примените намерение снова, чтобы начать новую операцию',
  },
  'cancel.operation_over': {
    en: '{operation} is {status} already',
    ru: '{operation} уже в состоянии {status}',
  },
  'cancel.effect': {
    en: 'Stops running steps: {running} (on {hosts}). Will not start: {waiting}. Proven steps stay: {done}.',
    ru: 'Остановит выполняемые шаги: {running} (на {hosts}). Не начнутся: {waiting}. Доказанные шаги останутся: {done}.',
  },
  'cancel.effect_idle': {
    en: 'Nothing is running. Will not start: {waiting}. Proven steps stay: {done}.',
    ru: 'Сейчас ничего не выполняется. Не начнутся: {waiting}. Доказанные шаги останутся: {done}.',
  },
  'cancel.effect_none': { en: 'There is nothing left to stop.', ru: 'Останавливать уже нечего.' },
  'retry.effect': {
    en: 'Tries again: {steps} ({count}, on {hosts}). Can go on after that: {after}. Proven steps stay: {done}.',
    ru: 'Повторит: {steps} ({count}, на {hosts}). После этого смогут продолжиться: {after}. Доказанные шаги останутся: {done}.',
  },
  'retry.effect_twice': {
    en: 'Tries again: {steps} ({count}, on {hosts}). Not marked as safe to run twice: {risky}. Can go on after that: {after}. Proven steps stay: {done}.',
    ru: 'Повторит: {steps} ({count}, на {hosts}). Не помечено как безопасное при повторе: {risky}. После этого смогут продолжиться: {after}. Доказанные шаги останутся: {done}.',
  },
  'retry.effect_proof': {
    en: 'Runs the final checks again. Proven steps stay: {done}.',
    ru: 'Выполнит итоговые проверки заново. Доказанные шаги останутся: {done}.',
  },
  'retry.effect_none': { en: 'Nothing would be tried again.', ru: 'Повторять нечего.' },
  'blocker.step_stopped': {
    en: '“{step}” stopped on {host}: {reason!}',
    ru: 'Шаг «{step}» остановился на {host}: {reason!}',
  },
  'blocker.steps_stopped': {
    en: '{count} steps stopped on {host}, the first is “{step}”: {reason!}',
    ru: 'На {host} остановились шаги ({count}), первый — «{step}»: {reason!}',
  },
  'blocker.step_wait': {
    en: '“{step}” waits for {host}: {reason!}',
    ru: 'Шаг «{step}» ждёт {host}: {reason!}',
  },
  'blocker.steps_wait': {
    en: '{count} steps wait for {host}, the first is “{step}”: {reason!}',
    ru: 'Шаги ({count}) ждут {host}, первый — «{step}»: {reason!}',
  },
  'blocker.step_retry': {
    en: '“{step}” will be tried again on {host}: {reason!}',
    ru: 'Шаг «{step}» будет повторён на {host}: {reason!}',
  },
  'blocker.steps_retry': {
    en: '{count} steps will be tried again on {host}, the first is “{step}”: {reason!}',
    ru: 'Шаги ({count}) будут повторены на {host}, первый — «{step}»: {reason!}',
  },
  'blocker.whole': {
    en: 'The operation waits for a decision: {reason!}',
    ru: 'Операция ждёт решения: {reason!}',
  },
  'blocker.worker': { en: 'No worker has taken it yet', ru: 'Её пока не взял ни один исполнитель' },
  'rights.missing': {
    en: '{actor} may not do this: it needs the permission “{permission}”',
    ru: '{actor} не может этого сделать: нужно право «{permission}»',
  },
};

/** The words of each reason code. */
export const REASON_TEXTS: Readonly<Record<string, { readonly en: string; readonly ru: string }>> = {
  exit_code: { en: 'ended with exit code {exitCode}{said?}', ru: 'завершилось с кодом {exitCode}{said?}' },
  timed_out: {
    en: 'ran longer than its time limit and was stopped{said?}',
    ru: 'превысило отведённое время и было остановлено{said?}',
  },
  evidence_failed: {
    en: 'not proved: {checks} observed: {observed}',
    ru: 'не доказано: {checks} увидела: {observed}',
  },
  proved_but_failed: {
    en: 'ended with {exitCode}, yet every check confirms the result: a person decides',
    ru: 'завершилось с {exitCode}, но все проверки подтверждают результат: решает человек',
  },
  missing_output: {
    en: 'did not leave what it promised: {artifacts}',
    ru: 'не оставлено обещанное: {artifacts}',
  },
  already_satisfied: {
    en: 'was true already: nothing had to change',
    ru: 'уже было верно: менять ничего не пришлось',
  },
  recovered_by_evidence: {
    en: 'its end was lost ({lost}), its result is proved',
    ru: 'конец потерян ({lost}), результат доказан',
  },
  supervisor_died: {
    en: 'how it ended is unknown: its supervisor on the host died',
    ru: 'чем закончилось, неизвестно: на хосте умер надзиратель',
  },
  host_restarted: {
    en: 'how it ended is unknown: the host restarted meanwhile',
    ru: 'чем закончилось, неизвестно: хост перезапустился',
  },
  run_folder_lost: {
    en: 'how it ended is unknown: its folder on the host is gone',
    ru: 'чем закончилось, неизвестно: папка запуска на хосте пропала',
  },
  orphaned: {
    en: 'its supervisor died, {alive} of its processes live: waiting for them',
    ru: 'надзиратель умер, процессов осталось {alive}: ждём их',
  },
  cancelled_by_person: { en: 'cancelled', ru: 'отменено' },
  cancel_unconfirmed: {
    en: 'the host did not confirm that nothing of it runs any more: cancel again, or look at the host',
    ru: 'хост не подтвердил, что ничего не работает: отмените ещё раз или посмотрите на хост',
  },
  provides_unproven: {
    en: 'all steps are done, the final proof failed: {observed}',
    ru: 'все шаги сделаны, итоговая проверка не прошла: {observed}',
  },
  retrying: { en: 'trying again', ru: 'пробуем снова' },
  retry_requested: { en: 'a person asked to try again', ru: 'человек попросил попробовать снова' },
  not_idempotent: {
    en: 'not repeated by itself: running it twice may do harm',
    ru: 'само не повторяется: второй запуск может навредить',
  },
  unreachable: { en: 'the host cannot be reached: {detail}', ru: 'хост недоступен: {detail}' },
  disconnected: {
    en: 'the connection was lost; the work on the host goes on: {detail}',
    ru: 'связь потеряна, работа на хосте продолжается: {detail}',
  },
  host_key_changed: {
    en: 'the host key changed: expected {expected}, offered {offered}. If that is right: capstan host accept-key',
    ru: 'ключ хоста изменился: ожидался {expected}, предложен {offered}. Если так и должно быть: capstan host accept-key',
  },
  host_key_unknown: {
    en: 'the host key was never accepted: offered {offered}. If it is right: capstan host accept-key',
    ru: 'ключ хоста не подтверждён: предложен {offered}. Если он верный: capstan host accept-key',
  },
  auth_failed: { en: 'the host refused the key: {detail}', ru: 'хост не принял ключ: {detail}' },
  no_sudo: { en: 'sudo wants a password: {detail}', ru: 'sudo требует пароль: {detail}' },
  needs_input: {
    en: 'the host asks for something that only a person can answer: {detail}',
    ru: 'хост спрашивает то, на что ответит только человек: {detail}',
  },
  disk_full: {
    en: 'no space on {path} ({free} bytes free)',
    ru: 'нет места на {path} (свободно {free} байт)',
  },
  host_busy: { en: 'the host is busy: {detail}', ru: 'хост занят: {detail}' },
  not_isolated: {
    en: 'this sandbox host is not isolated, and the job is not marked safe for that',
    ru: 'этот хост песочницы не изолирован, а задание не помечено безопасным для этого',
  },
  capacity: { en: 'waits for a free slot', ru: 'ждёт свободного места' },
  needs_version: {
    en: 'was written by a newer version: upgrade this worker',
    ru: 'записано более новой версией: обновите этот исполнитель',
  },
  predecessor_alive: {
    en: 'the former attempt still runs on the host',
    ru: 'прежняя попытка ещё работает на хосте',
  },
  node_failed: { en: 'a step stopped', ru: 'шаг остановился' },
  verifying_provides: { en: 'the final proof is running', ru: 'идёт итоговая проверка' },
  no_host_record: { en: 'no host {host} is known any more', ru: 'хост {host} больше не известен' },
  input_missing: { en: 'its input {input} is not there', ru: 'нет его входа {input}' },
};
