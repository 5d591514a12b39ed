import CryptoCore
import JSONKit
import LinkedDataKit
import MdocKit
import OID4VPMessages
import SDJWTKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// One run of a builder: collects presentations and the signatures that they need.
struct PresentationPreparation<Random: RandomSource> {
    let builder: PresentationBuilder
    let keys: HolderKeys
    let time: Date
    let random: Random

    var parts: [PresentationPart] = []
    var pending: [PendingSignature] = []
    /// The transactions that the presentations for a query authorize.
    private var transactions: [QueryID: [TransactionDataEntry]] = [:]

    var request: PresentationRequest { builder.request }
    var binding: PresentationBinding { builder.binding }
    var options: PresentationOptions { builder.options }

    init(_ builder: PresentationBuilder, _ keys: HolderKeys, _ time: Date, _ random: Random) {
        self.builder = builder
        self.keys = keys
        self.time = time
        self.random = random
    }

    // MARK: Layouts

    /// One presentation for each credential.
    mutating func presentations(
        _ items: [PresentationItem],
        for query: DCQLQuery
    ) async throws(OID4VPError) -> UnsignedPresentations {
        var answers: [(query: QueryID, parts: [Int])] = []
        for item in items {
            guard let asked = query[item.query], asked.format.current == item.format.current else {
                throw OID4VPError(.invalidSelection, "the request has no such query", path: [item.query.text])
            }
            let number = parts.count
            switch item.content {
            case .mdoc: try addDeviceResponse([item])
            case .sdJWT(let sdJWT):
                let isBound = asked.requiresHolderBinding ? true : request.bindsWherePossible ? nil : false
                try await add(sdJWT, item, isBound: isBound)
            case .w3c(let credential):
                if asked.requiresHolderBinding {
                    try addPresentation(of: [item], by: keys.holder(of: item))
                } else {
                    try addCredential(credential, item.format)
                }
            }
            if let place = answers.firstIndex(where: { $0.query == item.query }) {
                answers[place].parts.append(number)
            } else {
                answers.append((item.query, [number]))
            }
        }
        return UnsignedPresentations(pendingSignatures: pending, parts: parts, layout: .queries(answers))
    }

    /// One DeviceResponse for all mdocs, one presentation for the W3C credentials of a format and a holder (for tokens, of a
    /// version too), and one for each SD-JWT.
    mutating func presentations(
        _ items: [PresentationItem],
        for definition: PresentationDefinition
    ) async throws(OID4VPError) -> UnsignedPresentations {
        var places: [PresentationPlace] = []
        var rest = items[...]
        while let first = rest.first {
            let number = parts.count
            let group: [PresentationItem]
            switch first.content {
            case .sdJWT(let sdJWT):
                group = [first]
                try await add(sdJWT, first, isBound: nil)
            case .mdoc:
                group = items.filter { $0.format == .mdoc }
                try addDeviceResponse(group)
            case .w3c:
                let holder = try keys.holder(of: first)
                group = items.filter { item in
                    let other = (keys.holders[item.credential] ?? keys.holder)?.verificationMethod
                    return item.format == first.format && other == holder.verificationMethod
                        && item.canShareVersion(with: first)
                }
                try addPresentation(of: group, by: holder)
            }
            let order = group.uniqueCredentials.map(\.credential)
            for item in group {
                places.append(
                    PresentationPlace(
                        item,
                        part: number,
                        index: order.firstIndex(of: item.credential) ?? 0,
                        isEnveloped: group.version == .v2
                    )
                )
            }
            rest = rest.dropFirst().filter { item in !group.contains { $0.answersSame(as: item) } }[...]
        }
        var entries: [PresentationSubmission.Entry] = []
        for item in items {
            guard let descriptor = definition.descriptors.first(where: { $0.id == item.query }),
                let place = places.first(where: { $0.item.answersSame(as: item) })
            else { throw OID4VPError(.invalidSelection, "there is no such descriptor", path: [item.query.text]) }
            let formats = descriptor.formats.isEmpty ? definition.formats : descriptor.formats
            entries.append(try place.entry(formats.map(\.format), isOnly: parts.count == 1))
        }
        let submission = PresentationSubmission(id: random.uuid(), definition: definition.id, entries: entries)
        return UnsignedPresentations(pendingSignatures: pending, parts: parts, layout: .definition(submission))
    }

    // MARK: Transactions

    /// Finds a query for each transaction whose presentation authorizes it: the first that is answered and can.
    mutating func assignTransactions(_ items: [PresentationItem]) throws(OID4VPError) {
        for entry in request.transactionData {
            let query = entry.credentials.first { query in
                let answers = items.filter { $0.query == query }
                return !answers.isEmpty && answers.allSatisfy { canAuthorize(entry, $0) }
            }
            guard let query else {
                throw OID4VPError(
                    .invalidTransactionData,
                    "none of the presentations can authorize the transaction",
                    path: [entry.type.text]
                )
            }
            transactions[query, default: []].append(entry)
        }
    }

    func transactions(for query: QueryID) -> [TransactionDataEntry] { transactions[query] ?? [] }

    private func canAuthorize(_ entry: TransactionDataEntry, _ item: PresentationItem) -> Bool {
        switch item.content {
        case .mdoc(let issuerSigned, _):
            guard let element = options.transactionElements.elements[entry.type] else { return false }
            return issuerSigned.mobileSecurityObject.deviceKeyInfo.keyAuthorizations?.cover(element.reference) == true
        case .sdJWT(let sdJWT): return (try? sdJWT.unverifiedPayload().claims.contains("cnf")) == true
        case .w3c: return false
        }
    }
}

extension PresentationItem {
    /// Returns `true` for an answer to the same query with the same credential.
    fileprivate func answersSame(as other: PresentationItem) -> Bool {
        query == other.query && credential == other.credential
    }
}

extension [PresentationItem] {
    /// The items of distinct credentials: a credential that answers several descriptors is presented once.
    var uniqueCredentials: [PresentationItem] {
        reduce(into: []) { items, item in
            if !items.contains(where: { $0.credential == item.credential }) { items.append(item) }
        }
    }
}
