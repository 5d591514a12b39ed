public import CBORKit

/// Where header parameters are looked up: one bucket, or both of a layer.
///
/// ``COSEHeaders`` looks into the protected bucket first. A parameter that decides anything about security and stands in
/// the unprotected bucket was chosen by whoever sent the bytes last; ask the protected bucket alone where that matters.
public protocol COSEHeaderParameters: Sendable {
    /// The value of a parameter, or nil where it is absent.
    ///
    /// - Throws: ``COSEError/Code/invalidHeader`` for a value that was built here and cannot be encoded.
    func parameter(_ label: COSELabel) throws(COSEError) -> CBORView?

    /// The algorithm (`alg`), or nil where it is absent.
    ///
    /// - Throws: ``COSEError/Code/unsupportedAlgorithm`` for a text identifier: none is registered.
    func algorithm() throws(COSEError) -> COSEAlgorithm?
}
