/// The content of a message, inside it or passed in beside it.
enum COSEContent {
    /// The content that the cryptography covers: the message's own, or the detached one.
    ///
    /// - Throws: ``COSEError/Code/missingContent`` or ``COSEError/Code/contentNotDetached`` unless there is exactly one.
    static func resolve(
        attached: ArraySlice<UInt8>?,
        detached: [UInt8]?,
        field: String
    ) throws(COSEError) -> ArraySlice<UInt8> {
        switch (attached, detached) {
        case (let attached?, nil): return attached
        case (nil, let detached?): return detached[...]
        case (nil, nil):
            throw COSEError(.missingContent, "the \(field) is detached and was not handed in", path: [field])
        case (_?, _?):
            throw COSEError(.contentNotDetached, "the message carries its own \(field)", path: [field])
        }
    }
}
