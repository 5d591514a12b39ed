public import DIDKit
public import LinkedDataKit

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The settings with which a wallet builds presentations.
public struct PresentationOptions: Sendable {
    /// The data elements with which mdocs authorize transactions.
    public var transactionElements: MdocTransactionElements
    /// Finds the keys that SD-JWTs name by a DID URL; by default those of the methods that nothing is fetched for.
    public var resolver: any DIDResolver
    /// Makes linked-data proofs.
    public var prover: LinkedDataProver
    /// Indicates that linked-data proofs say when they were made.
    public var statesProofTime: Bool
    /// The time in seconds for which a presentation as a token is valid.
    public var tokenLifetime: TimeInterval
    /// Indicates that the caller makes linked-data proofs by itself, of the JSON of the presentation.
    package var leavesProofsToCaller = false

    /// Sets the settings.
    public init(
        transactionElements: MdocTransactionElements = .none,
        resolver: any DIDResolver = DIDMethods.local,
        prover: LinkedDataProver = LinkedDataProver(),
        statesProofTime: Bool = true,
        tokenLifetime: TimeInterval = 600
    ) {
        self.transactionElements = transactionElements
        self.resolver = resolver
        self.prover = prover
        self.statesProofTime = statesProofTime
        self.tokenLifetime = tokenLifetime
    }
}
