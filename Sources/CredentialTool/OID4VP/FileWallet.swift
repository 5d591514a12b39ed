import CryptoCore
import Foundation
import LinkedDataKit
import MdocWallet
import OID4VPKit
import OID4VPMessages
import SDJWTWallet

/// Credentials from files with the keys for them, and those of a stored wallet, which counts their copies.
struct FileWallet {
    var credentials: [PresentableCredential] = []
    var signers: [SoftwareSigner]
    var holders: [CredentialName: W3CHolder] = [:]
    var prover = LinkedDataProver()
    private var stored: StoredCredentials?
    private var mdocs: Set<CredentialName> = []
    private var sdJWTs: Set<CredentialName> = []

    init(signers: [SoftwareSigner]) {
        self.signers = signers
    }

    /// The formats of the credentials.
    var formats: Set<CredentialFormat> { Set(credentials.map(\.queryable.format)) }

    /// Adds the copies of a stored wallet that can be presented at a time.
    mutating func add(from stored: StoredCredentials, at time: Date) async throws {
        for copy in try await stored.mdocs.copiesToPresent(at: time).copies {
            let credential = MdocCredential(copy)
            mdocs.insert(credential.credentialName)
            credentials.append(.mdoc(credential))
        }
        for copy in try await stored.sdJWTs.copiesToPresent(at: time).copies {
            let credential = try SDJWTCredential(name: CredentialName(copy.id), copy.sdJWT)
            sdJWTs.insert(credential.credentialName)
            credentials.append(.sdJWT(credential))
        }
        self.stored = stored
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
