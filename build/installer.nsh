; What the installer of Windows does besides electron-builder's own templates (app-builder-lib/templates/nsis).
; Macros only: it is read for the installer and, a second time, for the uninstaller.

!macro customHeader
  LangString tillbridgeStillRuns ${LANG_ENGLISH} "Tillbridge is still running: a payment is on the terminal, another user of this computer has it open, or it does not answer. It is not ended by force, so that no payment is lost.$\r$\n$\r$\nQuit Tillbridge, then choose Retry."
  LangString tillbridgeStillRuns ${LANG_GERMAN} "Tillbridge läuft noch: Am Terminal läuft eine Zahlung, ein anderer Benutzer dieses Computers hat es geöffnet, oder es antwortet nicht. Es wird nicht gewaltsam beendet, damit keine Zahlung verloren geht.$\r$\n$\r$\nBeenden Sie Tillbridge und wählen Sie dann Wiederholen."
  LangString tillbridgeNoProvision ${LANG_ENGLISH} "The file that /PROVISION names is not there:"
  LangString tillbridgeNoProvision ${LANG_GERMAN} "Die Datei, die /PROVISION nennt, gibt es nicht:"
!macroend

; How long the installer waits for the app, in rounds of about two seconds: a payment ends within its own bounds.
!define TILLBRIDGE_ROUNDS 150
; What Windows itself sends when a session ends, or when an installer needs a program to close.
!define /ifndef WM_QUERYENDSESSION 0x0011
!define /ifndef WM_ENDSESSION 0x0016
!define TILLBRIDGE_CLOSE_APP 1
!define TILLBRIDGE_ASK_MS 5000

; In place of electron-builder's own, which ends the app by force after a second. Each window of the app is asked whether it
; can close; the app says no while an operation is on the terminal. One that says yes is told to, closes the line and
; the journal, and ends. Whatever still runs in the end, also in another user's session, stays: the installer gives up.
!macro customCheckAppRunning
  Push $R0
  Push $R1
  Push $R2
  Push $R3
  Push $R4
  Push $R5
  Push $R6
  StrCpy $R6 "$INSTDIR\${APP_EXECUTABLE_FILENAME}"
  ; By a variable, so that no character of a path can be taken for a part of the command.
  System::Call 'kernel32::SetEnvironmentVariable(t "TILLBRIDGE_EXECUTABLE", t R6)'
  StrCpy $R5 0
  ${Do}
    ; Windows of this session, the hidden ones too, that belong to the program in this folder.
    StrCpy $R0 0
    ${Do}
      FindWindow $R0 "Chrome_WidgetWin_1" "" 0 $R0
      ${If} $R0 == 0
        ${ExitDo}
      ${EndIf}
      System::Call 'user32::GetWindowThreadProcessId(p R0, *i .R1)'
      ; PROCESS_QUERY_LIMITED_INFORMATION
      System::Call 'kernel32::OpenProcess(i 0x1000, i 0, i R1) p .R2'
      StrCpy $R3 ""
      ${If} $R2 != 0
        System::Call 'kernel32::QueryFullProcessImageName(p R2, i 0, t .R3, *i ${NSIS_MAX_STRLEN})'
        System::Call 'kernel32::CloseHandle(p R2)'
      ${EndIf}
      ${If} $R3 == $R6
        SendMessage $R0 ${WM_QUERYENDSESSION} 0 ${TILLBRIDGE_CLOSE_APP} $R4 /TIMEOUT=${TILLBRIDGE_ASK_MS}
        ${If} $R4 == 1
          SendMessage $R0 ${WM_ENDSESSION} 1 ${TILLBRIDGE_CLOSE_APP} $R4 /TIMEOUT=${TILLBRIDGE_ASK_MS}
        ${EndIf}
      ${EndIf}
    ${Loop}
    ; 10: it runs, in whichever session; 11: it does not. Anything else: PowerShell is not to be had here.
    nsExec::Exec `"$SYSDIR\WindowsPowerShell\v1.0\powershell.exe" -NoProfile -NonInteractive -Command "if (@(Get-CimInstance Win32_Process | Where-Object { $$_.ExecutablePath -eq $$env:TILLBRIDGE_EXECUTABLE }).Count -gt 0) { exit 10 } else { exit 11 }"`
    Pop $R0
    ${If} $R0 != 10
    ${AndIf} $R0 != 11
      nsExec::Exec `"$SYSDIR\cmd.exe" /C tasklist /FI "IMAGENAME eq ${APP_EXECUTABLE_FILENAME}" /FO CSV /NH | "$SYSDIR\findstr.exe" /B /I /C:"\"${APP_EXECUTABLE_FILENAME}\""`
      Pop $R0
      ${If} $R0 == 0
        StrCpy $R0 10
      ${EndIf}
    ${EndIf}
    ${If} $R0 != 10
      ${ExitDo}
    ${EndIf}
    IntOp $R5 $R5 + 1
    ${If} $R5 >= ${TILLBRIDGE_ROUNDS}
      StrCpy $R5 0
      ${If} ${Cmd} `MessageBox MB_RETRYCANCEL|MB_ICONEXCLAMATION "$(tillbridgeStillRuns)" /SD IDCANCEL IDCANCEL`
        ; For whoever runs it with /S: nothing was changed.
        SetErrorLevel 3
        Quit
      ${EndIf}
    ${EndIf}
    Sleep 1500
  ${Loop}
  Pop $R6
  Pop $R5
  Pop $R4
  Pop $R3
  Pop $R2
  Pop $R1
  Pop $R0
  !ifndef BUILD_UNINSTALLER
    ; The version before is removed next, with all that is in its folder.
    ${If} ${FileExists} "$INSTDIR\resources\provision.json"
      InitPluginsDir
      CopyFiles /SILENT "$INSTDIR\resources\provision.json" "$PLUGINSDIR\provision.json"
    ${EndIf}
  !endif
!macroend

; /PROVISION=FILE, see docs/installing.md. A file that is not there ends the installer before it has changed anything.
!macro customInit
  Push $R0
  Push $R1
  ${GetParameters} $R0
  ClearErrors
  ${GetOptions} $R0 "/PROVISION=" $R1
  ${IfNot} ${Errors}
  ${AndIfNot} ${FileExists} "$R1"
    MessageBox MB_OK|MB_ICONSTOP "$(tillbridgeNoProvision)$\r$\n$R1" /SD IDOK
    SetErrorLevel 2
    Quit
  ${EndIf}
  Pop $R1
  Pop $R0
!macroend

; The folder below Program Files is one where only administrators write, and the file gets the rights of its folder.
!macro customInstall
  Push $R0
  Push $R1
  ${GetParameters} $R0
  ClearErrors
  ${GetOptions} $R0 "/PROVISION=" $R1
  ${If} ${Errors}
    StrCpy $R1 "$PLUGINSDIR\provision.json"
  ${EndIf}
  ${If} ${FileExists} "$R1"
    ClearErrors
    CopyFiles /SILENT "$R1" "$INSTDIR\resources\provision.json"
    ${If} ${Errors}
      SetErrorLevel 2
    ${EndIf}
  ${EndIf}
  Pop $R1
  Pop $R0
!macroend

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
