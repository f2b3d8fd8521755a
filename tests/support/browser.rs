//! A headless chromium, driven through its chromedriver (W3C WebDriver with Chrome's additions).

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use serde_json::{Value, json};
use tempfile::TempDir;
use ureq::Agent;

/// Set in the gate: a missing browser is then a failure.
const REQUIRED: &str = "POURFECT_BROWSER_REQUIRED";

const ARGUMENTS: [&str; 9] = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--window-size=1280,900",
];

/// A browser with one page. Ends with [`Browser::finish`], which fails on what went wrong in it.
pub struct Browser {
    driver: Child,
    agent: Agent,
    session: String,
    profile: TempDir,
}

impl Browser {
    /// Starts a browser; without one installed says so and gives `None`.
    pub fn start() -> Option<Self> {
        let found = Command::new("chromedriver")
            .arg("--port=0")
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn();
        let Ok(mut driver) = found else {
            assert!(std::env::var_os(REQUIRED).is_none(), "chromedriver is not installed");
            // Past the capture of the test harness, so that people see it.
            let words = "left out: no chromedriver, so the report is not opened in a browser";
            let _ = writeln!(std::io::stderr(), "{words}");
            return None;
        };
        let lines = BufReader::new(driver.stdout.take().unwrap()).lines();
        let port = lines
            .map_while(Result::ok)
            .find_map(|line| {
                let (_, port) = line.split_once("started successfully on port ")?;
                Some(port.trim_end_matches('.').to_owned())
            })
            .expect("chromedriver says its port");
        let agent =
            Agent::new_with_config(Agent::config_builder().http_status_as_error(false).build());
        let profile = TempDir::new().unwrap();
        let session = format!("http://127.0.0.1:{port}/session");
        let mut browser = Self { driver, agent, session, profile };
        let mut arguments = ARGUMENTS.map(str::to_owned).to_vec();
        arguments.push(format!("--user-data-dir={}", browser.profile.path().display()));
        let created = browser.post(
            "",
            json!({ "capabilities": { "alwaysMatch": {
                "goog:chromeOptions": { "args": arguments },
                "goog:loggingPrefs": { "browser": "ALL", "performance": "ALL" },
            } } }),
        );
        browser.session += &format!("/{}", created["sessionId"].as_str().unwrap());
        Some(browser)
    }

    fn post(&self, path: &str, body: Value) -> Value {
        let mut answer =
            self.agent.post(format!("{}{path}", self.session)).send_json(body).unwrap();
        let mut answer: Value = answer.body_mut().read_json().unwrap();
        let value = answer["value"].take();
        assert!(value.get("error").is_none(), "{path}: {value}");
        value
    }

    /// Opens a file.
    pub fn open(&self, file: &Path) {
        self.post("/url", json!({ "url": format!("file://{}", file.display()) }));
    }

    /// Gives the page another width.
    pub fn resize(&self, width: u32) {
        let size =
            json!({ "width": width, "height": 844, "deviceScaleFactor": 1, "mobile": width < 600 });
        let command = json!({ "cmd": "Emulation.setDeviceMetricsOverride", "params": size });
        self.post("/goog/cdp/execute", command);
    }

    /// Runs the body of a function in the page.
    pub fn run(&self, script: &str, arguments: Value) -> Value {
        self.post("/execute/sync", json!({ "script": script, "args": arguments }))
    }

    fn element(&self, selector: &str) -> String {
        let query = json!({ "using": "css selector", "value": selector });
        let found = self.post("/element", query);
        found.as_object().unwrap().values().next().unwrap().as_str().unwrap().to_owned()
    }

    /// Clicks as a person would: an element that is covered or not shown is a failure.
    pub fn click(&self, selector: &str) {
        self.post(&format!("/element/{}/click", self.element(selector)), json!({}));
    }

    /// Types into an element.
    pub fn type_into(&self, selector: &str, text: &str) {
        let path = format!("/element/{}/value", self.element(selector));
        self.post(&path, json!({ "text": text }));
    }

    /// Presses keys, wherever the focus is.
    pub fn press(&self, keys: &str) {
        let actions: Vec<Value> = keys
            .chars()
            .flat_map(|key| ["keyDown", "keyUp"].map(|act| json!({ "type": act, "value": key })))
            .collect();
        let keyboard = json!({ "type": "key", "id": "keyboard", "actions": actions });
        self.post("/actions", json!({ "actions": [keyboard] }));
    }

    /// The text of an element, as shown.
    pub fn text(&self, selector: &str) -> String {
        let script = "return document.querySelector(arguments[0])?.innerText ?? ''";
        self.run(script, json!([selector])).as_str().unwrap().to_owned()
    }

    /// Waits until an element's text contains something.
    pub fn wait_for(&self, selector: &str, text: &str) {
        let shows = || self.text(selector).contains(text);
        let waited = (0..200).any(|_| {
            shows() || {
                std::thread::sleep(std::time::Duration::from_millis(50));
                false
            }
        });
        assert!(waited, "{selector} says {:?}, not {text:?}", self.text(selector));
    }

    /// Fails on any script error, any message of the console and any request but for the file.
    pub fn finish(self) {
        let console = self.post("/se/log", json!({ "type": "browser" }));
        assert_eq!(console, json!([]), "the console is silent");
        let events = self.post("/se/log", json!({ "type": "performance" }));
        for event in events.as_array().unwrap() {
            let event: Value = serde_json::from_str(event["message"].as_str().unwrap()).unwrap();
            let (method, request) = (&event["message"]["method"], &event["message"]["params"]);
            // Before the file the browser shows a page of its own.
            let own = request["documentURL"].as_str().is_some_and(|url| url.starts_with("chrome:"));
            if method == "Network.requestWillBeSent" && !own {
                let url = request["request"]["url"].as_str().unwrap();
                assert!(url.contains("/report.html"), "requested {url}");
            }
        }
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.agent.delete(&self.session).call();
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}
