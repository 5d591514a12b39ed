import CryptoCore
import Foundation
import LinkedDataKit
import MdocKit
import MdocWallet
import OID4VPKit
import OID4VPMessages
import SDJWTWallet

/// Credentials from files with the keys for them, and those of a stored wallet, which counts their copies.
struct FileWallet {
    /// The credentials from files.
    var files: [PresentableCredential] = []
    /// The copies of the stored wallet, one of each credential.
    private var copies: [PresentableCredential] = []
    var signers: [SoftwareSigner]
    var holders: [CredentialName: W3CHolder] = [:]
    var prover = LinkedDataProver()
    private var stored: StoredCredentials?
    private var mdocs: Set<CredentialName> = []
    private var sdJWTs: Set<CredentialName> = []

    init(signers: [SoftwareSigner]) {
        self.signers = signers
    }

    /// The credentials, those from files first.
    var credentials: [PresentableCredential] { files + copies }

    /// Adds the copies of a stored wallet that can be presented at a time.
    mutating func add(from stored: StoredCredentials, at time: Date) async throws {
        self.stored = stored
        try await chooseCopies(of: stored, at: time) { _ in true }
    }

    /// The wallet with copies that a verifier takes: a copy for a key of another algorithm gives way to the next one that fits.
    func adapted(to request: PresentationRequest, at time: Date) async throws -> FileWallet {
        guard let stored, !copies.allSatisfy({ request.takesAlgorithms(of: $0, at: time) }) else { return self }
        var wallet = self
        try await wallet.chooseCopies(of: stored, at: time) { request.takesAlgorithms(of: $0, at: time) }
        return wallet
    }

    private mutating func chooseCopies(
        of stored: StoredCredentials,
        at time: Date,
        preferring isTaken: (PresentableCredential) -> Bool
    ) async throws {
        let mdocs = try await stored.mdocs.copiesToPresent(at: time) { isTaken(.mdoc(MdocCredential($0))) }
        let sdJWTs = try await stored.sdJWTs.copiesToPresent(at: time) { copy in
            (try? PresentableCredential(copy)).map(isTaken) ?? true
        }
        copies =
            try mdocs.copies.map { .mdoc(MdocCredential($0)) } + sdJWTs.copies.map { try PresentableCredential($0) }
        self.mdocs = Set(mdocs.copies.map { CredentialName($0.id) })
        self.sdJWTs = Set(sdJWTs.copies.map { CredentialName($0.id) })
    }

    /// The holder's keys for a plan; copies of the stored wallet are counted as used first.
    func signers(for plan: PresentationPlan, at time: Date) async throws -> [SoftwareSigner] {
        guard let stored else { return signers }
        let chosen = plan.entries.map(\.match.credential)
        let handles =
            try await Array(stored.mdocs.claim(chosen.filter { mdocs.contains($0) }.map(\.text), at: time).values)
            + stored.sdJWTs.claim(chosen.filter { sdJWTs.contains($0) }.map(\.text), at: time).values
        // A credential that names no key has an empty handle.
        return try signers
            + handles.filter { !$0.isEmpty }.map { try SoftwareSigner(try PrivateKey(pkcs8: $0)) }
    }
}

extension PresentableCredential {
    /// A stored SD-JWT VC.
    fileprivate init(_ copy: StoredSDJWT) throws {
        self = .sdJWT(try SDJWTCredential(name: CredentialName(copy.id), copy.sdJWT))
    }
}

extension PresentationRequest {
    /// Returns `false` for a credential that answers no query, and one of them for its algorithms alone.
    fileprivate func takesAlgorithms(of credential: PresentableCredential, at time: Date) -> Bool {
        guard let result = try? evaluate(over: [credential.queryable], at: time) else { return true }
        return result.queries.contains { !$0.matches.isEmpty }
            || !result.queries.contains { $0.mismatches.contains { $0.reason == .algorithm } }
    }
}
