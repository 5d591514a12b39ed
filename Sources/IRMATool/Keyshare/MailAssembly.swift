#if Server
import CommandSupport
import CredentialServingOperations
import Foundation
import JSONKit
import KeyshareServer
import SMTPMail

/// The parts of e-mail, read from a configuration.
struct MailAssembly: Sendable {
    private let configuration: ServerConfiguration
    private let language: String
    /// Sends in the name of the operator.
    let mailer: Mailer

    /// Reads the settings, and connects to the mail server once.
    ///
    /// - Parameters:
    ///   - configuration: The configuration.
    ///   - isOffline: Indicates that the mail server is not to be asked.
    ///   - console: The clock.
    /// - Returns: `nil` without a mail server.
    /// - Throws: ``ToolError`` and `KeyshareServerError`.
    static func make(
        _ configuration: ServerConfiguration,
        isOffline: Bool = false,
        console: Console
    ) async throws -> MailAssembly? {
        guard let address = try configuration.valueIfPresent(of: MailKeys.server), !address.isEmpty else { return nil }
        guard let from = try configuration.valueIfPresent(of: MailKeys.sender), !from.isEmpty else {
            throw ToolError("email_from: email_server needs the address of a sender")
        }
        let sender = try await sender(address, configuration, isOffline: isOffline, console)
        return MailAssembly(
            configuration: configuration,
            language: try configuration.value(of: MailKeys.language),
            mailer: Mailer(sender, from: try MailAddress(mailbox: from))
        )
    }

    private static func sender(
        _ address: String,
        _ configuration: ServerConfiguration,
        isOffline: Bool,
        _ console: Console
    ) async throws -> any MailSender {
        #if SMTP
        let hostname = try configuration.valueIfPresent(of: MailKeys.hostname).flatMap { $0.isEmpty ? nil : $0 }
        let username = try configuration.valueIfPresent(of: MailKeys.username).flatMap { $0.isEmpty ? nil : $0 }
        let password = try configuration.valueIfPresent(of: MailKeys.password)?.withValue { $0 } ?? ""
        let sender = SMTPMailSender(
            try SMTPConfiguration(
                address,
                tlsName: hostname,
                credentials: username.map { SMTPConfiguration.Credentials(username: $0, password: password) }
            ),
            clock: console.now
        )
        guard !isOffline else { return sender }
        do {
            try await sender.check()
        } catch {
            throw ToolError("email_server: \(error.message)")
        }
        return sender
        #else
        throw ToolError("email_server: this build sends no e-mail: build it with the trait SMTP")
        #endif
    }

    /// An e-mail, with its bodies read.
    func texts(_ keys: MailKeys.Mail) throws -> MailTexts {
        let files = try texts(keys.files)
        return try naming(keys.files) {
            try MailTexts(
                subjects: texts(keys.subjects),
                bodies: files.mapValues { path in
                    let bytes = try InputFile(argument: path).read(sizeLimit: MailTemplate.maximumSize)
                    guard let text = String(validating: bytes, as: UTF8.self) else {
                        throw ToolError("\(path) is not UTF-8")
                    }
                    return text
                },
                default: language
            )
        }
    }

    /// A text by language.
    func localizedText(_ key: ConfigurationKey<JSONValue>) throws -> LocalizedText {
        try naming(key) { try LocalizedText(texts(key), default: language) }
    }

    private func texts(_ key: ConfigurationKey<JSONValue>) throws -> [String: String] {
        var texts: [String: String] = [:]
        for (language, value) in try configuration.valueIfPresent(of: key)?.objectValue ?? [:] {
            guard let text = value.stringValue else {
                throw ToolError("\(key.declaration.name): the value of \(language) is not text")
            }
            texts[language] = text
        }
        return texts
    }

    /// Names a key in the errors of reading its value.
    private func naming<Value>(_ key: ConfigurationKey<JSONValue>, _ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let error as KeyshareServerError {
            throw ToolError("\(key.declaration.name): \((error.path + [error.message]).joined(separator: ": "))")
        }
    }
}
#endif
