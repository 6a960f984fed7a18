; Uninstalling ends the start with Windows, which the app itself sets for the user who asked for it (the name of the
; value is the app's id). An update runs the uninstaller as well, and keeps it.
!macro customUnInstall
  ${ifNot} ${isUpdated}
    DeleteRegValue HKCU "Software\Microsoft\Windows\CurrentVersion\Run" "${APP_ID}"
    DeleteRegValue HKCU "Software\Microsoft\Windows\CurrentVersion\Explorer\StartupApproved\Run" "${APP_ID}"
    ; An uninstaller that runs for the whole machine has the administrator's registry: look through the users' too.
    StrCpy $0 0
    ${Do}
      EnumRegKey $1 HKU "" $0
      ${If} $1 == ""
        ${ExitDo}
      ${EndIf}
      DeleteRegValue HKU "$1\Software\Microsoft\Windows\CurrentVersion\Run" "${APP_ID}"
      DeleteRegValue HKU "$1\Software\Microsoft\Windows\CurrentVersion\Explorer\StartupApproved\Run" "${APP_ID}"
      IntOp $0 $0 + 1
    ${Loop}
  ${endIf}
!macroend
