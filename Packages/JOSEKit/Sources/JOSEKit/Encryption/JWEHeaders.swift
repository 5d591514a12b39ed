/// The headers that all recipients of a JWE share.
struct JWEHeaders: Sendable {
    let protected: JOSEHeader
    let shared: JOSEHeader
    /// The protected header's text, as received or to be sent.
    let encodedProtected: ArraySlice<UInt8>
    /// Both, which must not share a name.
    let union: JOSEHeader

    init(
        protected: JOSEHeader,
        shared: JOSEHeader = JOSEHeader(),
        encodedProtected: ArraySlice<UInt8>
    ) throws(JOSEError) {
        self.protected = protected
        self.shared = shared
        self.encodedProtected = encodedProtected
        union = try protected.union(shared)
    }

    /// Headers to send.
    init(sending protected: JOSEHeader, shared: JOSEHeader) throws(JOSEError) {
        try self.init(
            protected: protected,
            shared: shared,
            encodedProtected: protected.isEmpty ? [] : Base64URL.encodedBytes(protected.encoded())[...]
        )
    }

    /// A recipient with these headers and its own, checked for `crit` and `zip`.
    func recipient(header: JOSEHeader, encryptedKey: [UInt8]) throws(JOSEError) -> JWERecipient {
        let whole = try union.union(header)
        guard !whole.isEmpty else { throw JOSEError(.malformed, "there is no header") }
        for name in ["crit", "zip"] where whole.contains(name) {
            guard protected.contains(name) else {
                let code: JOSEError.Code = name == "crit" ? .invalidCritical : .invalidHeader
                throw JOSEError(code, "\(name) is not in the protected header", path: [name])
            }
        }
        try protected.validateCritical(in: whole)
        return JWERecipient(unprotectedHeader: header, header: whole, encryptedKey: encryptedKey, fault: nil)
    }

    /// A skipped recipient.
    func recipient(fault: JOSEError) -> JWERecipient {
        JWERecipient(unprotectedHeader: JOSEHeader(), header: union, encryptedKey: [], fault: fault)
    }
}
