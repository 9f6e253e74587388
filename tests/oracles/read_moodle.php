<?php
// Prints what Moodle's own importers read in a question bank, as JSON: php read_moodle.php MOODLE xml|gift FILE.
// MOODLE is a folder with Moodle's sources. Of the rest of Moodle, this file defines only what the importers call.

define('MOODLE_INTERNAL', true);
error_reporting(E_ALL & ~E_DEPRECATED);
set_error_handler(function ($number, $message, $file, $line) {
    if (error_reporting() & $number) {
        throw new ErrorException($message, 0, $number, $file, $line);
    }
});
foreach (['FORMAT_MOODLE', 'FORMAT_HTML', 'FORMAT_PLAIN', 3 => 'FORMAT_WIKI', 'FORMAT_MARKDOWN'] as $value => $name) {
    define($name, (string) $value);
}
foreach (['PARAM_TEXT', 'PARAM_RAW', 'PARAM_INT', 'PARAM_FLOAT', 'PARAM_ALPHA'] as $name) {
    define($name, strtolower($name));
}

[, $root, $form, $file] = $argv;
$CFG = (object) ['dirroot' => $root, 'libdir' => "$root/lib", 'debugdeveloper' => false];

class moodle_exception extends Exception {
}
class core_text {
    public static function substr($text, $start, $length = null) {
        return mb_substr($text, $start, $length, 'UTF-8');
    }
    public static function strlen($text) {
        return mb_strlen($text, 'UTF-8');
    }
}
class core_tag_tag {
    public static function is_enabled() {
        return false;
    }
}
// Question types may read a question themselves; those that come with Moodle leave it to the importer.
class question_bank {
    public static function get_all_qtypes() {
        return [];
    }
}
function get_string($name, $component = '', $parameters = null) {
    return "$component: $name " . json_encode($parameters);
}
function get_config() {
    return 'abc';
}
function clean_param($text) {
    return $text;
}
function shorten_text($text) {
    return $text;
}
function trim_utf8_bom($text) {
    return preg_replace('/^\xEF\xBB\xBF/', '', $text);
}

require_once("$root/question/format.php");
require_once("$root/question/format/$form/format.php");

class_alias("qformat_$form", 'qformat_of_this_file');

class reader extends qformat_of_this_file {
    public function read($file) {
        return $this->readquestions(file($file));
    }
    public function error($message, $text = '', $name = '') {
        throw new moodle_exception("$message $text $name");
    }
}

echo json_encode((new reader())->read($file), JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_SLASHES | JSON_THROW_ON_ERROR), "\n";
