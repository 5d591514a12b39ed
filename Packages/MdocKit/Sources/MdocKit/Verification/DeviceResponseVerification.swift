#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The outcome of verifying a response: one result per document, in the order of the response.
public struct DeviceResponseVerification: Sendable {
    /// One result per document, those that could not be read included.
    public let documents: [DocumentVerification]
    /// The time that everything was checked against.
    public let time: Date
    /// The deviations from the standard that were tolerated in the response.
    public let deviations: [MdocDeviation]

    /// The documents that are verified.
    public var verifiedDocuments: [VerifiedDocument] { documents.compactMap(\.verifiedDocument) }
}
