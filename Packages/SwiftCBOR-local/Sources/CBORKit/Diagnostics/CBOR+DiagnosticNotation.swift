extension CBORView {
    /// The item in diagnostic notation (RFC 8949 section 8), for people to read.
    ///
    /// ``CBORDiagnosticNotation`` turns the text back into the received bytes, if encoding indicators are shown.
    /// Control characters and marks that reorder text are escaped, so that content cannot disguise itself.
    public func diagnosticNotation(_ options: CBORDiagnosticOptions = .compact) -> String {
        NotationPrinter.text(encodedBytes, options)
    }
}

extension CBOR {
    /// The value in diagnostic notation (RFC 8949 section 8), for people to read.
    ///
    /// Encoding indicators stand for the ``CBOR/formed(_:_:)`` forms within and for the precision of numbers.
    public func diagnosticNotation(_ options: CBORDiagnosticOptions = .compact) -> String {
        NotationPrinter.text(encoded(.formed)[...], options)
    }
}
