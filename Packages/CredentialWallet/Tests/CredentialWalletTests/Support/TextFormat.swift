import CredentialWallet
import CryptoCore
import Foundation

extension StorageCollection {
    /// The credentials of the tests.
    static let credentials = StorageCollection(201, "credentials")
    /// Their copies.
    static let copies = StorageCollection(202, "copies")
}

/// A format whose credentials are texts.
struct TextFormat: CopyFormat {
    /// A text that cannot be read.
    struct Refusal: Error, Equatable {
        let text: String
    }

    /// A copy as the wallet presents it.
    struct Copy: Hashable, Sendable {
        let id: String
        let text: String
    }

    /// Texts that are refused.
    var refused: Set<String> = []

    let credentials = StorageCollection.credentials
    let copies = StorageCollection.copies

    func parts(of copy: CopyParts) -> CopyParts { copy }

    func copy(_ stored: StoredCopy) throws(Refusal) -> Copy {
        let text = String(decoding: stored.encoded, as: UTF8.self)
        guard !refused.contains(text) else { throw Refusal(text: text) }
        return Copy(id: stored.id, text: text)
    }
}

/// A store of texts, and copies to put there.
enum TextScene {
    static let now = Date(timeIntervalSince1970: 1_780_000_000)
    static let day: TimeInterval = 86_400

    static func store(
        _ storage: any CredentialStorage,
        refusing refused: Set<String> = []
    ) -> CredentialStore<TextFormat> {
        CredentialStore(storage, format: TextFormat(refused: refused))
    }

    /// Copies with texts that no others have.
    static func copies(_ count: Int) -> [CopyParts] { (0..<count).flatMap { _ in copies(UUID().uuidString) } }

    /// Copies with texts, each with a handle of its own.
    static func copies(
        _ names: String...,
        of type: String = "licence",
        _ furtherTypes: String...,
        days: Double = 30
    ) -> [CopyParts] {
        names.map { name in
            var parts = CopyParts(
                type: type,
                encoded: Array(name.utf8),
                keyHandle: SecretBytes(Array("key of \(name)".utf8)),
                validFrom: now - day,
                validUntil: now + days * day
            )
            parts.furtherTypes = furtherTypes
            return parts
        }
    }
}

extension CredentialStore<TextFormat> {
    /// Presents a copy: offers, claims, and returns the text.
    func present(at time: Date = TextScene.now) async throws -> String? {
        guard let copy = try await copiesToPresent(at: time).copies.first else { return nil }
        _ = try await claim([copy.id], at: time)
        return copy.text
    }
}
