#if Server
import CommandSupport
import CredentialServing
import CredentialServingOperations
import CryptoCore
import Foundation
import JSONKit
import MdocKit
import MdocTrust
import OID4VPMessages
import OID4VPVerifier
import ServerSupport

extension VerifierServerAssembly {
    /// Starts a transaction of each relying party in memory: what no wallet could be asked fails here.
    ///
    /// - Throws: `ToolError` that names the relying party.
    func tryParties(console: Console) async throws {
        let trial = try TransactionServer(
            url: server.url,
            relyingParties: parties,
            services: TransactionServices(clock: SessionClock(console))
        )
        for (name, served) in parties.sorted(by: { $0.key < $1.key }) {
            do throws(TransactionError) {
                var wishes = TransactionRequest(of: name, for: try Self.trialQuery())
                // A client that signs nothing has its request in the link.
                if served.party.client.signer == nil { wishes.form = .value }
                _ = try await trial.start(wishes)
                guard !served.party.origins.isEmpty else { continue }
                wishes.form = .digitalCredentials
                _ = try await trial.start(wishes)
            } catch {
                throw ToolError("\(RelyingPartyKeys.table).\(name): no transaction can be started: \(error)")
            }
        }
    }

    private static func trialQuery() throws(TransactionError) -> DCQLQuery {
        do {
            return try DCQLQuery(
                json: [
                    "credentials": [
                        ["id": "trial", "format": "dc+sd-jwt", "meta": ["vct_values": ["urn:example:trial"]]]
                    ]
                ]
            )
        } catch {
            throw TransactionError(.internalError, "the query of the trial cannot be read", cause: error)
        }
    }

    /// The relying parties that trust no issuer.
    func partiesWithoutTrust() throws -> [String] {
        let names = configuration.names(in: RelyingPartyKeys.table)
        return try names.filter { try !RelyingPartyKeys.trusts($0, in: configuration) }
    }

    /// Adds the certificates of the relying parties, and those of the authorities that they trust with their lists, to those whose
    /// expiry a check warns of.
    func addCertificates(to expiries: inout ServerExpiries, at time: Date) throws {
        for name in configuration.names(in: RelyingPartyKeys.table) {
            let party = "\(RelyingPartyKeys.table).\(name)"
            if let file = try configuration.valueIfPresent(of: RelyingPartyKeys.certificateFile, named: name) {
                for certificate in try InputFile(argument: file).certificates() { expiries.add(certificate, party) }
            }
            for file in try configuration.valueIfPresent(of: RelyingPartyKeys.trustFiles, named: name) ?? [] {
                let trusted = try InputFile(argument: file).trustFile(at: time)
                for anchor in trusted.trustAnchors { expiries.add(anchor.certificate, "\(party).trust_files") }
                if case .list(let list) = trusted { expiries.add(list, "\(party).trust_files") }
            }
        }
    }
}

extension ServerExpiries {
    /// Adds the end of a list of authorities, which the next start refuses past it, and the time of the next one.
    mutating func add(_ verified: VerifiedVICAL, _ name: String) {
        let list = "\(name): the list of \(verified.list.provider)"
        if let end = verified.list.notAfter { add(list, expiringAt: end) }
        add("\(list), by its signer's certificate,", expiringAt: verified.signer.notValidAfter)
        if case .updateDue(let time) = verified.freshness { add(list, replaceableSince: time) }
    }
}
#endif
