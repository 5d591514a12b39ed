import CryptoCore
import JOSEKit
import JSONKit
import Testing

/// An example of encryption: decrypted in every serialization that it has, and encrypted again where the file gives all that
/// is random.
struct CookbookEncryption {
    private let example: JSONValue
    private let keys: [JWEKey]
    private let jwks: [JWK]
    private let plaintext: [UInt8]

    init(_ example: JSONValue) throws {
        self.example = example
        let input = try #require(example["input"])
        plaintext = Array(try #require(input.text("plaintext")).utf8)
        if let password = input.text("pwd") {
            jwks = []
            keys = [.password(SecretBytes(Array(password.utf8)))]
        } else {
            let given = input["key"]?.arrayValue ?? [input["key"] ?? .null]
            jwks = try given.map { try JWK(json: $0) }
            keys = jwks.map { .jwk($0) }
        }
    }

    func run() async throws -> (ran: Int, passedOver: [(name: String, reason: String)]) {
        var (ran, passedOver) = (0, [(name: String, reason: String)]())
        for (form, value) in try #require(example["output"]?.objectValue) {
            let message = try value.stringValue.map { try JWE(compact: $0) } ?? JWE(json: value.encoded())
            for (index, key) in keys.enumerated() {
                let decrypted = try await message.decrypt(with: key, policy: .everything)
                #expect(decrypted.plaintext == plaintext)
                #expect(decrypted.recipientIndex == index)
            }
            ran += 1
            if let made = try encryptAgain(message) {
                let again = form == "compact" ? JSONValue.string(try made.compactSerialization()) : nil
                let flat = try JSONValue(parsing: made.flattenedSerialization())
                let general = try JSONValue(parsing: made.generalSerialization())
                #expect(again == value || flat == value || general == value, "\(form)")
            } else {
                passedOver.append((form, "encrypting again: RSA's padding is random, or the file does not fit itself"))
            }
        }
        return (ran, passedOver)
    }

    /// The message made of the same randomness; nil where the file does not say it all.
    private func encryptAgain(_ message: JWE) throws -> JWE? {
        guard keys.count == 1, let received = message.recipients.first,
            let name = try received.header.keyManagementAlgorithm(),
            let encryption = try received.header.contentEncryption(),
            let recipient = try recipient(name, encryption), let source = try source(received, name)
        else { return nil }
        return try JWE.encrypt(
            plaintext,
            to: recipient,
            with: encryption,
            header: message.protectedHeader,
            sharedHeader: message.sharedHeader,
            additionalData: message.additionalData,
            using: source
        )
    }

    private func recipient(_ algorithm: JWEAlgorithm, _ encryption: JWEEncryption) throws -> JWEEncryptionKey? {
        if let password = example["input"]?.text("pwd") {
            let iterations = try #require(example["encrypting_key"]?["iteration_count"]?.numberValue).integer(
                as: Int.self
            )
            return try .password(SecretBytes(Array(password.utf8)), algorithm, iterations: iterations)
        }
        guard let key = jwks.first, key.keyType != .rsa else { return nil }
        return try .jwk(key.keyType == .oct ? key : #require(key.publicJWK), algorithm, for: encryption)
    }

    /// The random bytes, in the order in which the encryption draws them.
    private func source(_ recipient: JWERecipient, _ algorithm: JWEAlgorithm) throws -> ScriptedRandomSource? {
        let sending = example["encrypting_key"] ?? .null
        var texts: [String] = []
        if let epk = sending["epk"] {
            // One file has another ephemeral key in its header than the one it gives.
            guard epk["x"] == recipient.header["epk"]?["x"], let scalar = epk.text("d") else { return nil }
            let contentKey = algorithm == .ecdhES ? nil : example["generated"]?.text("cek")
            texts = [contentKey, scalar].compactMap { $0 }
        } else {
            // A key for direct use is not random.
            if algorithm != .dir { texts += [example["generated"]?.text("cek")].compactMap { $0 } }
            texts += [sending.text("salt"), sending.text("iv")].compactMap { $0 }
        }
        texts.append(try #require(example["generated"]?.text("iv")))
        return ScriptedRandomSource(try texts.map { try Base64URL.decode($0) })
    }
}
