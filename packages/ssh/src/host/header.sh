# The request: lines `KEY VALUE` up to `go`.
root='' vaults='' attempt='' node='' number='' fence='' known='' offset=0 show='' as='' timeout='' grace='' poll='' nonce='' secrets=''
while IFS=' ' read -r key value; do
  case $key in
    root) root=$value ;;
    vaults) vaults=$value ;;
    attempt) attempt=$value ;;
    node) node=$value ;;
    number) number=$value ;;
    fence) fence=$value ;;
    known) known=$value ;;
    offset) offset=$value ;;
    show) show=$value ;;
    as) as=$value ;;
    timeout) timeout=$value ;;
    grace) grace=$value ;;
    poll) poll=$value ;;
    nonce) nonce=$value ;;
    secrets) secrets=$value ;;
    go) break ;;
  esac
done
