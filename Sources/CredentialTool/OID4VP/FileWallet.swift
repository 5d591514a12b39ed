import CryptoCore
import Foundation
import LinkedDataKit
import MdocWallet
import OID4VPKit
import OID4VPMessages

/// Credentials from files with the keys for them, and mdocs of a store that counts their copies.
struct FileWallet {
    var credentials: [PresentableCredential] = []
    var signers: [SoftwareSigner]
    var holders: [CredentialName: W3CHolder] = [:]
    var prover = LinkedDataProver()
    private var store: MdocCredentialStore?
    private var copies: Set<CredentialName> = []

    init(signers: [SoftwareSigner]) {
        self.signers = signers
    }

    /// The formats of the credentials.
    var formats: Set<CredentialFormat> { Set(credentials.map(\.queryable.format)) }

    /// Adds the copies of a store that can be presented at a time.
    mutating func add(from store: MdocCredentialStore, at time: Date) async throws {
        for copy in try await store.copiesToPresent(at: time).copies {
            let credential = MdocCredential(copy)
            copies.insert(credential.credentialName)
            credentials.append(.mdoc(credential))
        }
        self.store = store
    }

    /// The holder's keys for a plan; copies of the store are counted as used first.
    func signers(for plan: PresentationPlan, at time: Date) async throws -> [SoftwareSigner] {
        let chosen = plan.entries.map(\.match.credential).filter { copies.contains($0) }
        guard let store, !chosen.isEmpty else { return signers }
        let handles = try await store.claim(chosen.map(\.text), at: time)
        return try signers + handles.values.map { try SoftwareSigner(try PrivateKey(pkcs8: $0)) }
    }
}
