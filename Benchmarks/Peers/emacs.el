;;; emacs.el --- What Emacs takes for what the host does  -*- lexical-binding: t -*-

;; `emacs -Q --batch -l emacs.el TASK COUNT' does a task so often and prints the nanoseconds of the processor that it took,
;; then the sum of what was answered.

(require 'easymenu)

(defvar peer-sum 0)

(defun peer-act (n)
  "A command whose argument is asked for as commands do."
  (interactive (list 1))
  (setq peer-sum (+ peer-sum n 1)))

(defun peer-can (n)
  "Whether the item of that number is enabled: every fourth is not."
  (let ((enabled (/= 0 (% n 4))))
    (when enabled (setq peer-sum (1+ peer-sum)))
    enabled))

(defun peer-on (n)
  "Whether the item of that number is on: every second is."
  (let ((on (= 0 (% n 2))))
    (when on (setq peer-sum (+ peer-sum 2)))
    on))

(easy-menu-define peer-menu nil "A menu of a thousand items."
  (cons "All"
        (mapcar (lambda (n)
                  (vector (format "item %d" n) `(peer-act ,n)
                          :active `(peer-can ,n) :style 'toggle :selected `(peer-on ,n)))
                (number-sequence 1 1000))))

(defun peer-command ()
  "Call a command as a key would."
  (call-interactively 'peer-act))

(defun peer-validate ()
  "Ask all items how they stand, as for popping the menu up.
That is what is left of it where there is no screen to show it on."
  (x-popup-menu (list '(0 0) (selected-window)) peer-menu))

(defun peer-run (task count)
  "Do TASK so often."
  (dotimes (_ count) (funcall task)))

(dolist (function '(peer-act peer-can peer-on peer-command peer-validate peer-run)) (byte-compile function))

(let ((task (intern (concat "peer-" (pop command-line-args-left))))
      (count (string-to-number (pop command-line-args-left))))
  (peer-run task (1+ (/ count 4)))
  (garbage-collect)
  (setq peer-sum 0)
  (let ((start (get-internal-run-time)))
    (peer-run task count)
    (princ (format "%.0f %d\n" (* 1e9 (float-time (time-subtract (get-internal-run-time) start))) peer-sum))))
