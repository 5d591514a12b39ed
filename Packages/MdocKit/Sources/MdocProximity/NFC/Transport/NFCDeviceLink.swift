import MdocKit

/// A wallet's connection to a reader whose card it plays, as the radio of an app gives it.
///
/// An app implements it over Core NFC's `CardSession` or Android's `HostApduService`; ``NFCDeviceMdocTransport`` makes a
/// channel for sessions of it. Where the engagement goes over NFC too, its commands (``NFCEngagementTag``) are answered
/// before.
public protocol NFCDeviceLink: Sendable {
    /// The command APDUs of the reader as they travelled; ends when the reader is gone.
    ///
    /// Each waits for its response, which may come late: the holder has to agree first. It is the same stream whenever it
    /// is asked for.
    var commands: AsyncThrowingStream<[UInt8], any Error> { get }

    /// Sends the response to the last command.
    ///
    /// - Parameter response: The response as it travels, with its status word.
    /// - Throws: Any error where it cannot be sent.
    func respond(_ response: [UInt8]) async throws

    /// Ends the connection, after the last response, and with it ``commands``. Closing it again does nothing.
    func close() async
}
