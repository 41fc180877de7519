@echo off
rem Serves the book on this machine. Another port: start.bat --port 8080
cd /d "%~dp0"
where py >nul 2>nul && (py -3 serve.py %* & goto end)
where node >nul 2>nul && (node serve.mjs %* & goto end)
where python >nul 2>nul && (python serve.py %* & goto end)
echo The book needs Python 3 or Node.js on this machine; neither was found.
:end
pause
