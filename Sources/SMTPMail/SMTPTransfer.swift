#if SMTP
import CCurl

/// One connection to a mail server, on the caller's thread.
@safe final class SMTPTransfer {
    /// The reason that a transfer failed: libcurl's words and the server's code, without account, addresses and content.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// Indicates that libcurl is set up, which happens once.
    private static let isReady = mail_curl_start() == CURLE_OK

    private let handle: UnsafeMutableRawPointer
    /// The time at which the connection ends, also in the middle of the farewell.
    private let deadline: UnsafeMutablePointer<mail_curl_deadline>
    /// The lists of options, which libcurl does not copy.
    private var lists: [UnsafeMutablePointer<curl_slist>] = unsafe []

    /// A connection with the settings of a configuration, not made yet.
    init(_ configuration: SMTPConfiguration) throws(Failure) {
        guard Self.isReady, let handle = unsafe curl_easy_init() else {
            throw Failure(description: "libcurl cannot be set up")
        }
        unsafe self.handle = handle
        unsafe deadline = .allocate(capacity: 1)
        // libcurl counts them in 32 bits.
        let milliseconds = Int(min(max(configuration.timeout / .milliseconds(1), 0), Double(Int32.max)))
        unsafe deadline.initialize(to: mail_curl_deadline_in(milliseconds))
        let (host, port) = (configuration.host, configuration.port)
        // The name for TLS is that of the URL; the connection goes to the server all the same.
        try set(CURLOPT_URL, "smtp://\(configuration.tlsName ?? host):\(port)")
        if configuration.tlsName != nil { try set(CURLOPT_CONNECT_TO, ["::\(host):\(port)"]) }
        try Self.check(unsafe mail_curl_set_tls(handle, configuration.tlsName == nil ? 0 : 1))
        try Self.check(unsafe mail_curl_set_oldest_tls(handle))
        if let path = configuration.certificatesPath { try set(CURLOPT_CAINFO, path) }
        if let credentials = configuration.credentials {
            try set(CURLOPT_USERNAME, credentials.username)
            try set(CURLOPT_PASSWORD, credentials.password)
            try set(CURLOPT_LOGIN_OPTIONS, "AUTH=PLAIN")
        }
        // No proxy of the environment, and no signals in a process with threads.
        try set(CURLOPT_PROXY, "")
        try set(CURLOPT_NOSIGNAL, 1)
        try set(CURLOPT_TIMEOUT_MS, milliseconds)
        try Self.check(unsafe mail_curl_set_deadline(handle, deadline))
        // A connection that libcurl keeps is closed later, without the deadline.
        try set(CURLOPT_FORBID_REUSE, 1)
        try Self.check(unsafe mail_curl_drop_answers(handle))
    }

    deinit {
        unsafe curl_easy_cleanup(handle)
        unsafe deadline.deallocate()
        while let list = unsafe lists.popLast() { unsafe curl_slist_free_all(list) }
    }

    /// Sends a message.
    func send(_ bytes: [UInt8], from sender: String, to recipients: [String]) throws(Failure) {
        try set(CURLOPT_MAIL_FROM, "<\(sender)>")
        try set(CURLOPT_MAIL_RCPT, recipients.map { "<\($0)>" })
        let code = unsafe bytes.withUnsafeBufferPointer { buffer in
            var message = unsafe mail_curl_message(bytes: buffer.baseAddress, count: buffer.count)
            return unsafe withUnsafeMutablePointer(to: &message) { message in
                let code = unsafe mail_curl_set_message(handle, message)
                return unsafe code == CURLE_OK ? curl_easy_perform(handle) : code
            }
        }
        try checkTransfer(code)
    }

    /// Connects, logs in, and does nothing.
    func check() throws(Failure) {
        try set(CURLOPT_CUSTOMREQUEST, "NOOP")
        try checkTransfer(unsafe curl_easy_perform(handle))
    }

    private func set(_ option: CURLoption, _ text: String) throws(Failure) {
        try Self.check(unsafe mail_curl_set_text(handle, option, text))
    }

    private func set(_ option: CURLoption, _ number: Int) throws(Failure) {
        try Self.check(unsafe mail_curl_set_number(handle, option, number))
    }

    private func set(_ option: CURLoption, _ texts: [String]) throws(Failure) {
        var list: UnsafeMutablePointer<curl_slist>?
        for text in texts {
            guard let longer = unsafe curl_slist_append(list, text) else {
                unsafe curl_slist_free_all(list)
                throw Failure(description: "libcurl has no memory")
            }
            unsafe list = longer
        }
        if let list = unsafe list { unsafe lists.append(list) }
        try Self.check(unsafe mail_curl_set_list(handle, option, list))
    }

    private static func check(_ code: CURLcode) throws(Failure) {
        guard code == CURLE_OK else { throw Failure(description: "libcurl refuses a setting: \(words(code))") }
    }

    private func checkTransfer(_ code: CURLcode) throws(Failure) {
        guard code != CURLE_OK else { return }
        let reply = unsafe mail_curl_reply(handle)
        let cause = code == CURLE_ABORTED_BY_CALLBACK ? CURLE_OPERATION_TIMEDOUT : code
        throw Failure(description: Self.words(cause) + (reply == 0 ? "" : ", reply \(reply)"))
    }

    private static func words(_ code: CURLcode) -> String {
        guard let words = unsafe curl_easy_strerror(code) else { return "error \(code.rawValue)" }
        return unsafe String(cString: words)
    }
}
#endif
