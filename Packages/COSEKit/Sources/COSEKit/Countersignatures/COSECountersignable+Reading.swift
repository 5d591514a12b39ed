import CBORKit

extension COSECountersignable {
    /// The full countersignatures in the unprotected bucket; empty if there are none.
    ///
    /// - Parameters:
    ///   - form: The generation; the one of RFC 8152 is read only when asked for.
    ///   - options: Limits.
    /// - Throws: ``COSEError/Code/invalidHeader`` or ``COSEError/Code/malformed`` for a parameter of another shape.
    public func countersignatures(
        _ form: COSECountersignatureForm = .version2,
        options: COSEReadingOptions = .default
    ) throws(COSEError) -> [COSECountersignature] {
        guard let view = try headers.unprotected.parameter(form.label) else { return [] }
        return try within("unprotected") { () throws(COSEError) in
            let array = try headers.header("countersignature") { () throws(CBORError) in try view.array() }
            // One countersignature starts with its protected bucket, several start with an array.
            guard array.first?.kind == .array else {
                return [
                    try within("countersignature") { () throws(COSEError) in
                        try COSECountersignature(view, form: form, options)
                    }
                ]
            }
            return try COSEElements.list(array, "countersignatures", limit: options.signatures) {
                view throws(COSEError) in
                try COSECountersignature(view, form: form, options)
            }
        }
    }

    /// The abbreviated countersignature in the unprotected bucket, or nil if absent.
    ///
    /// - Parameter form: The generation; the one of RFC 8152 is read only when asked for.
    public func abbreviatedCountersignature(
        _ form: COSECountersignatureForm = .version2
    ) throws(COSEError) -> ArraySlice<UInt8>? {
        try headers.unprotected.bytes(form.abbreviatedLabel, "countersignature0")
    }
}
