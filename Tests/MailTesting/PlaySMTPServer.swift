#if SMTP && Server
import CryptoCore
import Foundation
import NIOCore
import NIOPosix
import NIOSSL
import Synchronization

/// A mail server on this machine for one test, which keeps what it is told.
package final class PlaySMTPServer: Sendable {
    /// The answers that differ from one test to the next.
    package struct Manners: Sendable {
        let tlsName: String?
        let hasAccounts: Bool
        let recipientReply: String
        let takesUnicode: Bool
        let silence: Silence?

        /// The moment from which on nothing is answered.
        package enum Silence: Sendable {
            /// The end of a message.
            case message
            /// The client's QUIT.
            case farewell
        }

        /// Manners.
        ///
        /// - Parameters:
        ///   - tlsName: The name in the certificate of STARTTLS; nil for a server without it.
        ///   - hasAccounts: Indicates that AUTH PLAIN is offered.
        ///   - recipientReply: The reply to a recipient.
        ///   - takesUnicode: Indicates that SMTPUTF8 is offered (RFC 6531).
        ///   - silence: The moment from which on nothing is answered; nil for none.
        package init(
            tlsName: String? = nil,
            hasAccounts: Bool = false,
            recipientReply: String = "250 ok",
            takesUnicode: Bool = false,
            silence: Silence? = nil
        ) {
            self.tlsName = tlsName
            self.hasAccounts = hasAccounts
            self.recipientReply = recipientReply
            self.takesUnicode = takesUnicode
            self.silence = silence
        }
    }

    private let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    private let state = Mutex<[String]>([])
    private let channel: any Channel
    /// The path of the file with the certificate.
    package let certificatesPath: String

    /// The lines of clients, without those of the messages' ends.
    package var lines: [String] { state.withLock { $0 } }
    /// Host and port.
    package var address: String { "127.0.0.1:\(channel.localAddress?.port ?? 0)" }

    /// The bodies of the messages.
    package var bodies: [String] {
        let lines = lines
        return lines.indices.filter { lines[$0].isEmpty }.map { start in
            let body = lines[(start + 1)...].prefix { line in line != "QUIT" && !line.contains(" ") }
            return String(decoding: Data(base64Encoded: body.joined()) ?? Data(), as: UTF8.self)
        }
    }

    /// Starts a server.
    package init(_ manners: Manners = Manners()) async throws {
        let key = try PrivateKey.generate(.p256)
        let name = manners.tlsName ?? "localhost"
        let certificate = try await CertificateBuilder(
            subject: try DistinguishedName(commonName: name),
            publicKey: key.publicKey,
            validity: Date(timeIntervalSince1970: 0)...Date(timeIntervalSince1970: 4e9),
            extensions: [.subjectAlternativeName([.dns(name)])]
        ).selfSigned(by: SoftwareSigner(key))
        let base64 = Data(certificate.derBytes).base64EncodedString(options: .lineLength64Characters)
        let pem = "-----BEGIN CERTIFICATE-----\n\(base64)\n-----END CERTIFICATE-----\n"
        certificatesPath = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).pem").path
        try Data(pem.utf8).write(to: URL(fileURLWithPath: certificatesPath))
        let tls = try NIOSSLContext(
            configuration: .makeServerConfiguration(
                certificateChain: [.certificate(try NIOSSLCertificate(bytes: Array(pem.utf8), format: .pem))],
                privateKey: .privateKey(try NIOSSLPrivateKey(bytes: Array(key.pem.utf8), format: .pem))
            )
        )
        let box = Box()
        channel = try await ServerBootstrap(group: group).childChannelInitializer { channel in
            channel.eventLoop.makeCompletedFuture {
                guard let server = box.server.withLock({ $0 }) else { return }
                try channel.pipeline.syncOperations.addHandler(
                    Conversation(manners, tls) { line in server.state.withLock { $0.append(line) } }
                )
            }
        }.bind(host: "127.0.0.1", port: 0).get()
        box.server.withLock { $0 = self }
    }

    /// The server, for the connections that come once it is made.
    private final class Box: Sendable {
        let server = Mutex<PlaySMTPServer?>(nil)
    }

    /// Ends the server.
    package func stop() async throws {
        try await channel.close()
        try await group.shutdownGracefully()
        try FileManager.default.removeItem(atPath: certificatesPath)
    }

    /// One connection.
    private final class Conversation: ChannelInboundHandler, RemovableChannelHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        private let manners: Manners
        private let tls: NIOSSLContext
        private let note: (String) -> Void
        private var received: [UInt8] = []
        private var isMessage = false
        private var isSecure = false
        private var isLoggingIn = false
        private var isSilent = false

        init(_ manners: Manners, _ tls: NIOSSLContext, _ note: @escaping (String) -> Void) {
            (self.manners, self.tls, self.note) = (manners, tls, note)
        }

        func channelActive(context: ChannelHandlerContext) {
            reply("220 play", context)
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            received += Array(unwrapInboundIn(data).readableBytesView)
            while let end = received.firstIndex(of: UInt8(ascii: "\n")) {
                let line = String(decoding: received[..<end], as: UTF8.self).trimmingCharacters(in: .newlines)
                received.removeFirst(end + 1)
                if isMessage {
                    if line == "." {
                        isMessage = false
                        isSilent = manners.silence == .message
                        reply("250 taken", context)
                    } else {
                        note(line)
                    }
                } else {
                    note(line)
                    answer(line, context)
                }
            }
        }

        private func answer(_ line: String, _ context: ChannelHandlerContext) {
            if isLoggingIn {
                isLoggingIn = false
                return reply("235 welcome", context)
            }
            switch line.prefix(4).uppercased() {
            case "EHLO":
                var words = ["play"]
                if manners.tlsName != nil, !isSecure { words.append("STARTTLS") }
                if manners.takesUnicode { words.append("SMTPUTF8") }
                if manners.hasAccounts { words.append("AUTH PLAIN LOGIN") }
                for word in words.dropLast() { reply("250-" + word, context) }
                reply("250 " + (words.last ?? ""), context)
            case "STAR":
                reply("220 go on", context)
                isSecure = true
                try? context.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: tls), position: .first)
            case "AUTH":
                // The account comes with the command, or after an empty challenge.
                isLoggingIn = line.count == "AUTH PLAIN".count
                reply(isLoggingIn ? "334 " : "235 welcome", context)
            case "RCPT": reply(manners.recipientReply, context)
            case "DATA":
                isMessage = true
                reply("354 go on", context)
            case "QUIT":
                guard manners.silence == nil else { return }
                reply("221 bye", context)
                context.close(promise: nil)
            default: reply("250 ok", context)
            }
        }

        private func reply(_ line: String, _ context: ChannelHandlerContext) {
            guard !isSilent else { return }
            context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: line + "\r\n")), promise: nil)
        }
    }
}
#endif
