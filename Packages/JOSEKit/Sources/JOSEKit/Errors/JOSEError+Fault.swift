public import VerificationCore

extension JOSEError {
    /// The failure of a check by this error; the reason is the code, in the word of all formats where they have one.
    public var fault: CheckFault { .failed(Reason(code), message, path: path) }
}

extension Reason {
    fileprivate init(_ code: JOSEError.Code) {
        self =
            switch code {
            case .noKey: .issuerKeyNotFound
            case .wrongType: .unexpectedType
            case .missingCertificates, .untrustedCertificates: .issuerNotTrusted
            default: Reason(code.description)
            }
    }
}
