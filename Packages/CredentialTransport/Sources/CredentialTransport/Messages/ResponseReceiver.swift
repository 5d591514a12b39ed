public import HTTPTypes

/// Takes the answer to a request piece by piece, and refuses it at the first piece that breaks the request's conditions.
///
/// An ``HTTPConnection`` feeds it as the pieces arrive, waits until each one is taken, and stops reading as soon as it
/// throws.
public protocol ResponseReceiver: Sendable {
    /// Takes status and header, once, before any piece of the body.
    ///
    /// - Throws: ``TransportError/Code/redirected``, ``TransportError/Code/unexpectedStatus``,
    ///   ``TransportError/Code/contentTypeNotAccepted``, ``TransportError/Code/contentEncodingNotAccepted`` or
    ///   ``TransportError/Code/bodyTooLarge`` where the header announces more than the limit.
    func receive(head: HTTPResponse) async throws(TransportError)

    /// Takes the next piece of the body.
    ///
    /// - Throws: ``TransportError/Code/bodyTooLarge``; ``TransportError/Code/unexpectedStatus`` where the body of an error
    ///   is over its limit; ``TransportError/Code/cancelled``. Nothing of the piece is kept then.
    func receive(_ piece: [UInt8]) async throws(TransportError)
}
