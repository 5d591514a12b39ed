import CredentialServing
import HTTPTypes
import IRMAMessages
import KeyshareServer

extension MyIRMAService {
    /// The number of events that are told at a time.
    private static let eventCount = 11

    /// The account of a browser that is logged in.
    ///
    /// - Throws: A `RemoteError`: `INVALID_REQUEST`.
    func username(of request: ServerRequest) async throws -> String {
        guard let username = try await pages.session(of: request)?.username else { throw Self.notLoggedIn }
        return username
    }

    static var notLoggedIn: RemoteError { RemoteError(.invalidRequest, message: "not logged in") }

    /// The account of a browser, after an address that was disclosed is added (`/user`).
    func account(of request: ServerRequest) async throws -> KeyshareAccountSummary {
        guard let session = try await pages.session(of: request), let username = session.username else {
            throw Self.notLoggedIn
        }
        if let token = session.emailToken, let disclosure = try await disclosure(in: token) {
            let outcome = try await adding(disclosure, to: username)
            _ = try await pages.change(request) { $0.forget(token, \.emailToken) }
            try outcome.get()
        }
        return try await summary(of: username)
    }

    /// Adds an address that was disclosed, if it was, or gives the reason why it never will be.
    ///
    /// - Throws: A `KeyshareServerError` of a store that another request may find well.
    private func adding(
        _ disclosure: Result<String, RemoteError>,
        to username: String
    ) async throws -> Result<Void, any Error> {
        do {
            return .success(try await accounts.addEmail(try disclosure.get(), to: username))
        } catch let error as RemoteError {
            return .failure(error)
        } catch let error as KeyshareServerError where [.invalidMailAddress, .accountNotFound].contains(error.code) {
            return .failure(error)
        }
    }

    private func summary(of username: String) async throws(KeyshareServerError) -> KeyshareAccountSummary {
        guard let summary = try await accounts.summary(of: username, at: now) else { throw .unknownAccount }
        return summary
    }

    /// Events of the account of a browser, the latest first (`/user/logs/{offset}`).
    func events(of request: ServerRequest) async throws -> [KeyshareAccountEvent] {
        let username = try await username(of: request)
        guard let offset = Int(try request.parameters.text("offset")), (0...Int(Int32.max)).contains(offset) else {
            throw RemoteError(.invalidRequest, message: "the offset is no number from 0 on")
        }
        return try await accounts.events(of: username, skipping: offset, atMost: Self.eventCount)
    }

    /// Deletes the secrets of the account of a browser, and the rest of it after the delay (`/user/delete`).
    ///
    /// Its addresses are told before: without that, a thief of the device could delete the account unnoticed.
    func deleteAccount(of request: ServerRequest) async throws -> HTTPField {
        let username = try await username(of: request)
        let isScheduled = try await deletions.run(ofAddress: nil, of: username) {
            try await scheduleDeletion(of: username)
        }
        guard isScheduled else { throw KeyshareServerError.unknownAccount }
        return try await logOut(request)
    }

    /// Tells the addresses of an account, and schedules its deletion; `false` if another request was first.
    private func scheduleDeletion(of username: String) async throws -> Bool {
        let account = try await summary(of: username)
        guard !account.isBeingDeleted else { return false }
        let addresses = account.emails.compactMap { try? MailAddress($0.address) }
        if let mail, !addresses.isEmpty {
            try await mail.mailer.send(
                mail.accountDeletion,
                to: addresses,
                in: account.language,
                [
                    .username: account.username, .email: addresses.map(\.text).joined(separator: ", "),
                    .delay: "\(options.deleteDelay)",
                ]
            )
        }
        return try await finishing { [accounts, deletionTime] in
            try await accounts.scheduleDeletion(of: username, on: deletionTime)
        }
    }

    /// Starts the IRMA session in which the user of a browser discloses an address to add (`/email/add`).
    func beginAddingEmail(_ request: ServerRequest) async throws -> SessionPackage {
        _ = try await username(of: request)
        let package = try await irma.start(.disclosing(oneOf: options.emailAttributes))
        guard try await pages.change(request, { $0.emailToken = package.token }) != nil else {
            throw Self.notLoggedIn
        }
        return package
    }

    /// Deletes an address of the account of a browser after the delay, of which it is told (`/email/remove`).
    func removeEmail(_ address: String, _ request: ServerRequest) async throws {
        let username = try await username(of: request)
        let isScheduled = try await deletions.run(ofAddress: address, of: username) {
            try await scheduleDeletion(ofEmail: address, of: username)
        }
        guard isScheduled else {
            throw RemoteError(.invalidRequest, message: "the address is being deleted")
        }
    }

    /// Tells an address of an account, and schedules its deletion; `false` if another request was first.
    private func scheduleDeletion(ofEmail address: String, of username: String) async throws -> Bool {
        let account = try await summary(of: username)
        guard let email = account.emails.first(where: { $0.address.utf8.elementsEqual(address.utf8) }) else {
            throw RemoteError(.invalidRequest, message: "Not a valid email address for user")
        }
        guard email.deleteOn == nil else { return false }
        if let mail, let address = try? MailAddress(address) {
            try await mail.mailer.send(
                mail.emailDeletion,
                to: [address],
                in: account.language,
                [.username: account.username, .delay: "\(options.deleteDelay)"]
            )
        }
        return try await finishing { [accounts, deletionTime] in
            try await accounts.scheduleDeletion(ofEmail: address, of: username, on: deletionTime)
        }
    }

    /// Does what a user was told of, also for a request that was cancelled while its mail was on the way.
    private func finishing(_ work: @escaping @Sendable () async throws -> Bool) async throws -> Bool {
        try await Task { try await work() }.value
    }
}
