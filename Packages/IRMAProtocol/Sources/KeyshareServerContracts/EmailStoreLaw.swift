public import KeyshareServer

/// A law that every store of accounts with addresses keeps, beside those of ``AccountStoreLaw``.
public struct EmailStoreLaw: Sendable, CustomStringConvertible {
    /// The law in a few words.
    public let description: String
    private let body: @Sendable (Stores) async throws -> Void

    /// The instances of a store that share their accounts.
    struct Stores: Sendable {
        /// The instance that laws read from.
        let reader: any KeyshareEmailStore
        /// The instance that laws write to.
        let writer: any KeyshareEmailStore

        /// Inserts accounts.
        func insert(_ names: String..., lastSeen: Int64 = 1000) async throws {
            for name in names {
                let account = KeyshareAccount(username: name, language: "nl", coreData: [1], lastSeen: lastSeen)
                try await writer.insert(account)
            }
        }

        /// The addresses of an account.
        func emails(of name: String, at now: Int64 = 1000) async throws -> [KeyshareEmail] {
            try await reader.summary(of: name, at: now)?.emails ?? []
        }
    }

    init(_ description: String, _ body: @escaping @Sendable (Stores) async throws -> Void) {
        self.description = description
        self.body = body
    }

    /// Checks the law on instances of one empty store, at least one.
    ///
    /// - Throws: ``AccountStoreLawViolation`` if they break it.
    public func check(_ stores: [any KeyshareEmailStore]) async throws {
        guard let reader = stores.first, let writer = stores.last else {
            throw AccountStoreLawViolation(description: "a store to check")
        }
        try await body(Stores(reader: reader, writer: writer))
    }

    /// All laws.
    public static let all = verification + login + pages + tasks
}
